"""The contract: its operations, and the check of a request's body against its schemas."""

import json
import operator
import re
from datetime import datetime
from pathlib import Path
from typing import Any

from refusals import Json, Problem, refuse_if_any

FILE = Path(__file__).parents[2] / "openapi/generated/openapi.json"
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)")


def parse_moment(text: str) -> float:
    """Parses a date and time by RFC 3339. Raises a `ValueError` for any other text."""
    if not MOMENT.fullmatch(text):
        raise ValueError(f"{text} is not a date and time")
    return datetime.fromisoformat(text.upper()).timestamp()


def _is_moment(text: str) -> bool:
    try:
        return parse_moment(text) is not None
    except (ValueError, OverflowError):
        return False


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _has_type(value: Any, name: str) -> bool:
    if value is None or isinstance(value, bool):
        return name == ("null" if value is None else "boolean")
    if name == "integer":
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    types: dict[str, Any] = {"object": dict, "array": list, "string": str, "number": (int, float)}
    return name in types and isinstance(value, types[name])


# What the keywords of a schema demand of a value of the right type.
KEYWORDS: dict[str, Any] = {
    "enum": lambda value, allowed: value in allowed,
    "minimum": operator.ge,
    "maximum": operator.le,
    "minLength": lambda value, length: len(value) >= length,
    "maxLength": lambda value, length: len(value) <= length,
    "maxItems": lambda value, length: len(value) <= length,
    "pattern": lambda value, pattern: re.fullmatch(pattern.removeprefix("^").removesuffix("$"), value),
    "format": lambda value, name: name != "date-time" or _is_moment(value),
}


class Contract:
    """The contract that this server implements and serves."""

    def __init__(self) -> None:
        self.document: Json = json.loads(FILE.read_text())
        # This server has neither screens nor a language model.
        self.document["x-capabilities"] = {"graphical": False, "desktop": False, "ai": False}
        # Deployments should offer previews, but need not.
        for path, methods in list(self.document["paths"].items()):
            if any("x-stability" in each for each in methods.values()):
                del self.document["paths"][path]
        # The operations by path and method, both in lower case.
        self.paths: dict[str, dict[str, Json]] = {path.lower(): each for path, each in self.document["paths"].items()}

    def read_body(self, operation: Json, text: bytes) -> tuple[Json, Json]:
        """Returns a body as it was sent, and its values by the names in the contract, without nulls."""
        declared = self._resolve(operation["requestBody"])
        if not text and not declared["required"]:
            return {}, {}
        problems: list[Problem] = []
        try:
            sent = json.loads(text.decode(), parse_constant=_refuse_constant)
            values = self._read(declared["content"]["application/json"]["schema"], sent, "", problems)
        except (ValueError, RecursionError) as error:
            problems = [Problem("", f"is not JSON: {error}")]
        refuse_if_any(problems)
        return sent, values

    def _resolve(self, node: Any) -> Any:
        while "$ref" in node:
            names = node["$ref"].split("/")[1:]
            node = self.document
            for name in names:
                node = node[name]
        return node

    def _read(self, schema: Json, value: Any, path: str, problems: list[Problem]) -> Any:
        """Reads a value as its schema describes it, and adds what is wrong to `problems`."""
        schema = self._resolve(schema)
        if "anyOf" in schema:
            # In requests, this always means one schema or null.
            return None if value is None else self._read(schema["anyOf"][0], value, path, problems)
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(_has_type(value, each) for each in types):
            problems.append(Problem(path, f"must be {' or '.join(types)}, not {json.dumps(value)[:80]}"))
        elif value is not None:
            for keyword, holds in KEYWORDS.items():
                if keyword in schema and not holds(value, schema[keyword]):
                    problems.append(Problem(path, f"is not valid: {keyword} is {json.dumps(schema[keyword])}"))
            if isinstance(value, dict):
                return self._read_object(schema, value, path, problems)
            if isinstance(value, list):
                items = schema["items"]
                return [self._read(items, each, f"{path}/{at}", problems) for at, each in enumerate(value)]
            # JSON has one kind of number: 5 and 5.0 are the same.
            return int(value) if "integer" in types else value
        return None

    def _read_object(self, schema: Json, value: Json, path: str, problems: list[Problem]) -> Json:
        values = {}
        for name, member in schema["properties"].items():
            given = [each for each in (name, member.get("x-alias")) if each in value]
            read = [self._read(member, value[each], f"{path}/{each}", problems) for each in given]
            known = [each for each in read if each is not None]
            if len(known) == 2 and known[0] != known[1]:
                problems.append(Problem(f"{path}/{given[1]}", f"is the same option as {given[0]}: send one of them"))
            if known:
                values[name] = known[0]
            elif not given and name in schema.get("required", ()):
                problems.append(Problem(f"{path}/{name}", "is required"))
        return values
