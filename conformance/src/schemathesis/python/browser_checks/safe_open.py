"""Makes generated requests harmless without changing whether they are valid."""

from __future__ import annotations

import math
from typing import Any

SHORTEST_S = 15
LONGEST_S = 30
MAX_LABEL = 256

# Other rules test these options, with values that are harmless on any deployment.
LEFT_OUT = ("Args", "IgnoredDefaultArgs", "Proxy", "WaitForPlace", "Screen", "Language", "TimeZone")
OPTIONS = (*LEFT_OUT, "Headless", "Stealth", "Browser", "KeepOpen", "Label", "Tags", "Lifetime")

# Invalid requests that replace valid requests once the limits are reached. Each contains several mistakes, so that a
# faulty server that misses one of them still does nothing.
REFUSED_QUERY = {"html": "", "prompt": "", "responseFormat": ""}
REFUSED_OPEN = {"Headless": True, "KeepOpen": -1, "Browser": 1, "Stealth": "no"}


def make_open_safe(body: Any, label: str) -> Any:
    """Makes valid options headless, with a short KeepOpen and a label of this run."""
    if body is None:
        # Servers may accept null, though the contract does not say so. Send another value that is not an object.
        return []
    if not isinstance(body, dict):
        return body
    safe = {name: value for name, value in body.items() if not _is_left_out(name)}
    if isinstance(safe.get("Headless"), bool | None):
        safe["Headless"] = True
    keep_open = safe.get("KeepOpen")
    if _is_duration(keep_open):
        # Keep fractions.
        safe["KeepOpen"] = _harmless(0 if keep_open is None else keep_open)
    lifetime = safe.get("Lifetime")
    if lifetime is not None and _is_duration(lifetime):
        safe["Lifetime"] = _harmless(lifetime)
    if _is_label(safe.get("Label")):
        safe["Label"] = f"{label}-{safe.get('Label') or 'fuzz'}"[:MAX_LABEL]
    return safe


def _is_left_out(name: Any) -> bool:
    """Whether to remove an option. Its camelCase spelling is removed too, because both would have to agree."""
    return name in LEFT_OUT or any(name == option[0].lower() + option[1:] for option in OPTIONS)


def _harmless(seconds: float) -> float:
    return SHORTEST_S + seconds % (LONGEST_S - SHORTEST_S)


def _is_duration(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _is_label(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= MAX_LABEL)
