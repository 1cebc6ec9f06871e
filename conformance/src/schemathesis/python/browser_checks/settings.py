"""Settings from environment variables."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    base_url: str
    token: str
    # Prefix of all labels.
    label: str
    # The number of browsers in total and at the same time, and of valid Queries.
    opens: int
    at_once: int
    queries: int
    # Seconds between requests.
    pause: float
    # A private file with one JSON object per line.
    notes: Path
    # Addresses of browsers opened before the run. The hooks never use them, even if Open returns one.
    foreign: frozenset[str]


def read_settings() -> Settings:
    notes = Path(os.environ["RBS_FUZZ_NOTES"])
    return Settings(
        base_url=os.environ["RBS_FUZZ_URL"].rstrip("/"),
        token=os.environ["RBS_FUZZ_TOKEN"],
        label=os.environ["RBS_FUZZ_LABEL"],
        opens=int(os.environ["RBS_FUZZ_OPENS"]),
        at_once=int(os.environ["RBS_FUZZ_AT_ONCE"]),
        queries=int(os.environ["RBS_FUZZ_QUERIES"]),
        pause=float(os.environ["RBS_FUZZ_PAUSE"]),
        notes=notes,
        foreign=frozenset(json.loads(notes.with_name("foreign.json").read_text())),
    )
