from __future__ import annotations

import math
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from typing_extensions import get_type_hints, is_typeddict

from remote_browser._generated import core
from remote_browser._generated.options import HistoryOptions, OpenOptions, UpdateOptions

_KINDS = ", ".join(f"SupportedBrowser.{each.name}" for each in core.SupportedBrowser)

# Pydantic's messages for these options don't describe valid values.
_FORMS: dict[tuple[int | str, ...], str] = {
    ("browser",): f"one of {_KINDS}",
    ("proxy",): 'a dictionary such as {"host": "proxy.example", "port": "3128"}',
    ("proxy", "port"): 'a string of digits, from "1" to "65535"',
    ("screen",): 'a dictionary such as {"width": 1280, "height": 800}',
}


class Options:
    """Validates the options of a method."""

    def __init__(self, kind: Any, method: str) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self._method = method
        # The types of options that are dictionaries.
        self._dictionaries = {
            name: each
            for name, hint in get_type_hints(kind).items()
            for each in get_args(hint)
            if is_typeddict(each)
        }
        self._known: dict[tuple[int | str, ...], tuple[str, ...]] = {
            (): tuple(kind.__annotations__),
            **{(name,): tuple(each.__annotations__) for name, each in self._dictionaries.items()},
        }

    def read(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Converts options to the members of the core's model.

        Raises:
            TypeError: If an option is unknown, has the wrong type, or can't be written as JSON.
        """
        try:
            self._adapter.validate_python(options)
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            message = self._describe(
                problem["type"], problem["loc"], problem["msg"], problem["input"]
            )
        else:
            self._refuse_infinite(options)
            return {name: self._to_core(name, value) for name, value in options.items()}
        raise TypeError(message)

    def _refuse_infinite(self, options: Mapping[str, Any], path: str = "") -> None:
        for name, value in options.items():
            if isinstance(value, Mapping):
                self._refuse_infinite(value, f"{path}{name}.")
            if isinstance(value, float) and not math.isfinite(value):
                raise TypeError(
                    f"The option {path}{name} of {self._method} is {value}, "
                    "which JSON can't represent."
                )

    def _to_core(self, name: str, value: Any) -> Any:
        """Converts a dictionary to the core's model, which has the same name as its type."""
        kind = self._dictionaries.get(name)
        if kind is None or value is None:
            return value
        model: Any = getattr(core, kind.__name__)
        return model.model_construct(**value)

    def _describe(self, kind: str, place: tuple[int | str, ...], words: str, value: object) -> str:
        """Describes a mistake without quoting the value, which may be a password."""
        name = ".".join(map(str, place))
        option = f"The option {name} of {self._method}"
        form = _FORMS.get(place)
        if kind == "missing":
            return f"{option} is missing{'' if form is None else f': {form}'}."
        if kind != "extra_forbidden":
            wanted = words if form is None else f"it must be {form}"
            return f"{option} is wrong: {wanted}, not {type(value).__name__}."
        known = self._known.get(place[:-1], ())
        nearest = get_close_matches(str(place[-1]), known, n=1)
        hint = f" Did you mean {nearest[0]}?" if nearest else ""
        return f"{self._method} has no option {name}.{hint} The options are: {', '.join(known)}."


OPEN = Options(OpenOptions, "open()")
UPDATE = Options(UpdateOptions, "update()")
HISTORY = Options(HistoryOptions, "history()")
