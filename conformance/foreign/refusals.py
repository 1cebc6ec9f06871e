"""Requests that are refused."""

from typing import Any, NamedTuple

Json = dict[str, Any]


class Problem(NamedTuple):
    """One thing that is wrong with a request, and where: `path` is a JSON Pointer."""

    path: str
    message: str


class Refusal(Exception):
    """A request is refused, with a status and a name from the contract. Nothing has changed."""

    def __init__(self, status: int, name: str, message: str, **headers: str) -> None:
        super().__init__(message)
        self.status = status
        self.name = name
        self.headers = {header.replace("_", "-"): value for header, value in headers.items()}
        self.problems: list[Problem] = []

    def body(self, request_id: str) -> Json:
        status = 0 if self.name == "Unknown" else self.status
        body = {"status": status, "name": self.name, "message": str(self), "requestId": request_id}
        return body | ({"errors": [each._asdict() for each in self.problems]} if self.problems else {})


def refuse_if_any(problems: list[Problem]) -> None:
    """Raises a `BadRequest` that lists all problems."""
    if problems:
        text = "; ".join(f"{path or 'it'} {message}" for path, message in problems)
        refusal = Refusal(400, "BadRequest", f"The request is not valid: {text}.")
        refusal.problems = problems
        raise refusal
