"""The base classes of the contract's errors, and the errors of the client itself.

The classes of the contract's errors are generated. Import all of them from `remote_browser`.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class RemoteBrowserError(Exception):
    """The base class of all errors about the service and the connection to it."""


class ApiError(RemoteBrowserError):
    """The service, or a gateway in front of it, refused the request.

    Each error name in the contract has its own subclass. The client raises a plain `ApiError` for a
    name that is newer than this version, and for a response that isn't from the service.
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
        """The HTTP status."""
        return self._facts[0]

    @property
    def name(self) -> str:
        """The error's name in the contract; empty when the response isn't from the service."""
        return self._facts[1]

    @property
    def message(self) -> str:
        """What was wrong and what to do, for people. Empty when the response has no message."""
        return self._facts[2]

    @property
    def request_id(self) -> str:
        """Identifies the request in the server's log; empty when the response has none."""
        return self._facts[3]

    @property
    def retry_after(self) -> float | None:
        """How many seconds to wait before retrying; `None` when the response doesn't say."""
        return self._facts[4]

    def _read(self, member: str, adapter: TypeAdapter[T], empty: T) -> T:
        """Reads a member that only some errors have; `empty` if it is missing or invalid."""
        try:
            return adapter.validate_python(self._facts[5].get(member))
        except ValidationError:
            return empty

    def __reduce__(self) -> tuple[type[ApiError], tuple[Any, ...]]:
        # By default, an Exception is copied and pickled with its message only.
        return type(self), self._facts


class ConnectionError(RemoteBrowserError, builtins.ConnectionError):
    """The connection failed, or was lost before the response was complete.

    It is a subclass of Python's built-in `ConnectionError`, so `except ConnectionError` catches it,
    whichever of the two you import.
    """


class TimeoutError(RemoteBrowserError, builtins.TimeoutError):
    """An attempt took longer than `timeout`, or a call longer than `total_timeout`.

    It is a subclass of Python's built-in `TimeoutError`, so `except TimeoutError` catches it,
    whichever of the two you import.
    """


class InvalidAnswerError(RemoteBrowserError):
    """A successful response doesn't match the contract, or a query's value the given type."""
