"""Information for the suite that the tool's own reports do not contain."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Notes:
    """Flushes every line, so that the suite knows opened browsers even after a crash."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def opened(self, address: str) -> None:
        self._write({"opened": address})

    def closed(self, address: str) -> None:
        self._write({"closed": address})

    def complaint(self, case: str, expected: str, seen: str, exchanges: list[dict[str, Any]]) -> None:
        self._write({"case": case, "expected": expected, "seen": seen, "exchanges": exchanges})

    def _write(self, note: dict[str, Any]) -> None:
        self._file.write(json.dumps(note) + "\n")
        self._file.flush()
