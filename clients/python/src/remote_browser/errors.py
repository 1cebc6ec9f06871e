"""The errors that every class of the contract stands on, and those that no server answers.

The classes of the contract's own errors are rendered from it. All stand in `remote_browser`.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class RemoteBrowserError(Exception):
    """The root of everything that this package raises about the service and the way to it."""


class ApiError(RemoteBrowserError):
    """The service refused, or something on the way to it did.

    There is a subclass for each name that the contract gives an error. A name that this version of
    the client does not know, and an answer that is not the service's own, are a plain `ApiError`.
    """

    def __init__(
        self,
        status: int,
        name: str,
        message: str,
        request_id: str,
        retry_after: float | None = None,
        members: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        label = f"{name} ({status})" if name else f"HTTP {status}"
        request = f" [request {request_id}]" if request_id else ""
        words = f": {message}" if message else ""
        super().__init__(f"{label}{words}{request}")
        self._facts = (status, name, message, request_id, retry_after, dict(members))

    @property
    def status(self) -> int:
        """The answer's HTTP status."""
        return self._facts[0]

    @property
    def name(self) -> str:
        """What the contract calls the error; empty when the answer was not the service's own."""
        return self._facts[1]

    @property
    def message(self) -> str:
        """For people: what was wrong, with which value, and what to do; empty when the answer had
        none."""
        return self._facts[2]

    @property
    def request_id(self) -> str:
        """Identifies the request in the server's log; empty when the answer named none."""
        return self._facts[3]

    @property
    def retry_after(self) -> float | None:
        """Seconds after which trying again makes sense; `None` when the answer named none."""
        return self._facts[4]

    def _read(self, member: str, adapter: TypeAdapter[T], empty: T) -> T:
        """What the answer said beyond what all errors say; `empty`, if it did not, or wrongly."""
        try:
            return adapter.validate_python(self._facts[5].get(member))
        except ValidationError:
            return empty

    def __reduce__(self) -> tuple[type[ApiError], tuple[Any, ...]]:
        # An Exception is otherwise copied and pickled by its message alone.
        return type(self), self._facts


class ConnectionError(RemoteBrowserError, builtins.ConnectionError):
    """No connection could be made, or it was lost before the answer was complete.

    It is one of Python's own `ConnectionError` as well, so `except ConnectionError` catches it
    whichever of the two is meant.
    """


class TimeoutError(RemoteBrowserError, builtins.TimeoutError):
    """An attempt took longer than `timeout`, or a call longer than `total_timeout`.

    It is one of Python's own `TimeoutError` as well, so `except TimeoutError` catches it whichever
    of the two is meant.
    """


class InvalidAnswerError(RemoteBrowserError):
    """The service agreed, but its answer is not what the contract, or the wanted type, says."""
