from __future__ import annotations

import os
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from typing_extensions import Self, Unpack

from remote_browser._browser import RemoteBrowser
from remote_browser._calls import World
from remote_browser._generated.options import OpenOptions
from remote_browser._options import read_options
from remote_browser._query import query
from remote_browser._service import Service
from remote_browser._session import Session
from remote_browser._settings import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT,
    DEFAULT_TOTAL_TIMEOUT,
    read_settings,
)

T = TypeVar("T")


class RemoteBrowserClient:
    """A client for one account of a Remote Browser Service.

    It is thread-safe. As a context manager, it releases its connections at the end of the `with`
    block. Open browsers stay open.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = DEFAULT_TIMEOUT,
        total_timeout: float = DEFAULT_TOTAL_TIMEOUT,
        retries: int = DEFAULT_RETRIES,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Creates a client. Sends nothing.

        Args:
            url: The service's URL, with its path prefix if it has one. Default: `RBS_URL`, or else
                http://127.0.0.1:8080.
            token: The account's token. Default: `RBS_TOKEN`.
            timeout: Timeout for one attempt in seconds, from connecting to the last byte of the
                response. Doesn't apply to queries.
            total_timeout: Timeout for a call in seconds, with all attempts and waits.
            retries: Maximum number of retries, where retrying is safe and may help.
            headers: Extra headers for every request.

        Raises:
            ValueError: When a setting is invalid, or there is no token.
        """
        self._settings = read_settings(
            os.environ,
            url=url,
            token=token,
            timeout=timeout,
            total_timeout=total_timeout,
            retries=retries,
            headers=headers,
        )
        self._service = Service(self._settings, World())

    def open(self, **options: Unpack[OpenOptions]) -> RemoteBrowser:
        """Opens a browser. Without options, it is Chromium with a screen, in stealth mode.

        Returns when the browser is ready for its first DevTools command. For all options and their
        units, see `help(remote_browser.OpenOptions)`.

        Raises:
            TypeError: For an unknown option, or one of the wrong type.
            ConnectionError, TimeoutError: An Open request that may have succeeded is never retried.
            ApiError: For example `BrowserLimitError` or `BrowserUnavailableError`.
        """
        return RemoteBrowser(self._service, self._service.open(read_options(options)).address)

    def list(self) -> list[Session]:
        """Lists the account's open browsers, oldest first."""
        return [
            Session(each.started_on, each.label, each.address, each.vncpass)
            for each in self._service.list().sessions
        ]

    def browser(self, address: str) -> RemoteBrowser:
        """Returns a handle for an open browser. Sends nothing.

        Raises:
            TypeError: When the address is not a string.
            ValueError: When the address is empty.
        """
        if not isinstance(address, str):
            raise TypeError(f"The address must be a string, not {type(address).__name__}.")
        if not address.strip():
            raise ValueError("The address is empty: pass an address from open() or list().")
        return RemoteBrowser(self._service, address)

    @overload
    def query(self, html: str, prompt: str, response_format: Literal["text"] = "text") -> str: ...

    @overload
    def query(self, html: str, prompt: str, response_format: Literal["json"]) -> Any: ...

    @overload
    def query(self, html: str, prompt: str, response_format: type[T]) -> T: ...

    def query(self, html: str, prompt: str, response_format: Any = "text") -> Any:
        """Asks a language model about an HTML document.

        Args:
            html: The document, or a fragment of one.
            prompt: The instruction for the model.
            response_format: "text" for text; "json" for JSON in a shape that fits the prompt; or a
                type that pydantic supports, such as a model or `list[float]`, for a value of that
                type.

        Raises:
            InvalidAnswerError: When the value is not of that type.
            ConnectionError, TimeoutError: A query that may have been answered is never retried.
            ApiError: For example `ResponseRefusedError` or `ProviderUnavailableError`.
        """
        return query(self._service, html, prompt, response_format)

    def close(self) -> None:
        """Releases the client's connections. Open browsers stay open."""
        self._service.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"RemoteBrowserClient(url={self._settings.url!r}, token=<secret>)"
