from __future__ import annotations

import math
from difflib import get_close_matches
from typing import Any

from pydantic import TypeAdapter, ValidationError

from remote_browser import _generated as core
from remote_browser._generated.options import OpenOptions, Proxy

_ADAPTER = TypeAdapter(OpenOptions)

_KINDS = ", ".join(f"SupportedBrowser.{each.name}" for each in core.SupportedBrowser)

# For these, pydantic's messages don't say what to write instead.
_FORMS: dict[tuple[int | str, ...], str] = {
    ("browser",): f"one of {_KINDS}",
    ("proxy",): 'a dictionary such as {"host": "proxy.example", "port": "3128"}',
    ("proxy", "port"): 'a string of digits, from "1" to "65535"',
}

_KNOWN: dict[tuple[int | str, ...], tuple[str, ...]] = {
    (): tuple(OpenOptions.__annotations__),
    ("proxy",): tuple(Proxy.__annotations__),
}


def read_options(options: OpenOptions) -> core.OpenOptions:
    """Converts options to their form on the wire.

    Raises:
        TypeError: For an unknown option, or one of the wrong type.
    """
    try:
        _ADAPTER.validate_python(options)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        message = _describe(problem["type"], problem["loc"], problem["msg"], problem["input"])
    else:
        members: dict[str, Any] = {**options}
        for name, value in members.items():
            if isinstance(value, float) and not math.isfinite(value):
                raise TypeError(
                    f"The option {name} of open() is {value}, which JSON can't represent."
                )
        proxy = options.get("proxy")
        if proxy is not None:
            members["proxy"] = core.Proxy.model_construct(**proxy)
        return core.OpenOptions.model_construct(**members)
    raise TypeError(message)


def _describe(kind: str, place: tuple[int | str, ...], words: str, value: object) -> str:
    """Describes a mistake without the value, which may be a password."""
    name = ".".join(map(str, place))
    form = _FORMS.get(place)
    if kind == "missing":
        return f"The option {name} of open() is missing{'' if form is None else f': {form}'}."
    if kind != "extra_forbidden":
        wanted = words if form is None else f"it must be {form}"
        return f"The option {name} of open() is wrong: {wanted}, not {type(value).__name__}."
    known = _KNOWN.get(place[:-1], ())
    nearest = get_close_matches(str(place[-1]), known, n=1)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    return f"open() has no option {name}.{hint} The options are: {', '.join(known)}."
