"""The base classes of all errors, and the client's own errors.

The classes of the contract's errors are generated. Import all classes from `remote_browser`.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")


class RemoteBrowserError(Exception):
    """The base class for errors of failed calls."""


class ApiError(RemoteBrowserError):
    """The service, or a gateway in front of it, refused the request.

    Each error name in the contract has a subclass. The client raises a plain `ApiError` for a name
    that this version doesn't know, and for a response that isn't from the service.
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
        """The error's name in the contract; empty if the response isn't from the service."""
        return self._facts[1]

    @property
    def message(self) -> str:
        """A description for humans; empty if the response doesn't include it."""
        return self._facts[2]

    @property
    def request_id(self) -> str:
        """The request id in the server's log; empty if the response doesn't include it."""
        return self._facts[3]

    @property
    def retry_after(self) -> float | None:
        """How many seconds to wait before retrying; `None` if the response doesn't say."""
        return self._facts[4]

    def _read(self, member: str, adapter: TypeAdapter[T], empty: T) -> T:
        """Reads a member of a subclass. Returns `empty` if the member is missing or invalid."""
        try:
            return adapter.validate_python(self._facts[5].get(member))
        except ValidationError:
            return empty

    def __reduce__(self) -> tuple[type[ApiError], tuple[Any, ...]]:
        # Otherwise, copying and pickling would only keep the message.
        return type(self), self._facts


class ConnectionError(RemoteBrowserError, builtins.ConnectionError):
    """The connection failed, or was lost before the response was complete.

    It derives from Python's built-in `ConnectionError`, so `except ConnectionError` catches it with
    or without an import.
    """


class TimeoutError(RemoteBrowserError, builtins.TimeoutError):
    """An attempt exceeded `timeout`, or a call exceeded `total_timeout`.

    It derives from Python's built-in `TimeoutError`, so `except TimeoutError` catches it with or
    without an import.
    """


class InvalidAnswerError(RemoteBrowserError):
    """A successful response doesn't match the contract, or a query's value its type."""
