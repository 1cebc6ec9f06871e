"""Makes what was generated harmless, without changing whether it is valid."""

from __future__ import annotations

import math
from typing import Any

SHORTEST_S = 15
LONGEST_S = 30
MAX_LABEL = 256

# Tried by rules of their own, with the few values that are harmless anywhere.
LEFT_OUT = ("Args", "IgnoredDefaultArgs", "Proxy")
OPTIONS = (*LEFT_OUT, "Headless", "Stealth", "Browser", "KeepOpen", "Label")

# What Query and Open refuse, sent in place of what would cost the operator more than was agreed. More than one thing is
# wrong with each: a server that overlooks one still does nothing.
REFUSED_QUERY = {"html": "", "prompt": "", "responseFormat": ""}
REFUSED_OPEN = {"Headless": True, "KeepOpen": -1, "Browser": 1, "Stealth": "no"}


def make_open_safe(body: Any, label: str) -> Any:
    """The same options, headless, closing soon and with a label of this run's, as far as these are valid."""
    if body is None:
        # Accepted, though the contract does not say so: take something else that is no object.
        return []
    if not isinstance(body, dict):
        return body
    safe = {name: value for name, value in body.items() if not _is_left_out(name)}
    if isinstance(safe.get("Headless"), bool | None):
        safe["Headless"] = True
    keep_open = safe.get("KeepOpen")
    if _is_duration(keep_open):
        # Fractions stay fractions.
        safe["KeepOpen"] = SHORTEST_S + (0 if keep_open is None else keep_open % (LONGEST_S - SHORTEST_S))
    if _is_label(safe.get("Label")):
        safe["Label"] = f"{label}-{safe.get('Label') or 'fuzz'}"[:MAX_LABEL]
    return safe


def _is_left_out(name: Any) -> bool:
    """Also the other spelling of each option: beside the first one it would have to agree with it."""
    return name in LEFT_OUT or any(name == option[0].lower() + option[1:] for option in OPTIONS)


def _is_duration(value: object) -> bool:
    if value is None:
        return True
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf


def _is_label(value: object) -> bool:
    return value is None or (isinstance(value, str) and len(value) <= MAX_LABEL)
