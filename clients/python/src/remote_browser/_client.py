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
    """A Remote Browser Service, as one account uses it.

    It may be used from several threads at once. In a `with` statement it gives its connections
    back at the end; browsers that are open stay open.
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
        """Sends nothing yet.

        Args:
            url: Where the service is; left out, what `RBS_URL` says, or else
                http://127.0.0.1:8080. It may have a path.
            token: The account's token; left out, what `RBS_TOKEN` says.
            timeout: Seconds that one attempt may take, from connecting to the last byte of the
                answer; that of a query is bounded by `total_timeout` only.
            total_timeout: Seconds that a call may take, with all attempts and the waits between.
            retries: How often a call is repeated at most, where repeating is safe and may help.
            headers: What else to send with every request.

        Raises:
            ValueError: For a setting that cannot be meant, or without a token.
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
        """Opens a browser; without options, Chromium with a screen and stealth mode.

        It answers once the browser is ready for its first DevTools command. All options, and their
        units: `help(remote_browser.OpenOptions)`.

        Raises:
            TypeError: For an option that there is not, or that is of another type.
            ConnectionError, TimeoutError: An Open that may have happened is never repeated.
            ApiError: A refusal; above all `BrowserLimitError` and `BrowserUnavailableError`.
        """
        return RemoteBrowser(self._service, self._service.open(read_options(options)).address)

    def list(self) -> list[Session]:
        """The account's open browsers, those that were opened first coming first."""
        return [
            Session(each.started_on, each.label, each.address, each.vncpass)
            for each in self._service.list().sessions
        ]

    def browser(self, address: str) -> RemoteBrowser:
        """A handle for a browser that is open already; nothing is sent.

        Raises:
            TypeError: For an address that is no text.
            ValueError: For an empty one.
        """
        if not isinstance(address, str):
            raise TypeError(
                f"An address is a text, as list() gives it, not {type(address).__name__}."
            )
        if not address.strip():
            raise ValueError(f"An address is what list() gives; {address!r} is none.")
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
            prompt: The instruction, in plain words.
            response_format: "text" for running text; "json" for JSON of whatever shape suits the
                prompt; a type that pydantic knows, such as a model or `list[float]`, for a value
                of that type.

        Raises:
            InvalidAnswerError: When the value is not of the wanted type.
            ConnectionError, TimeoutError: A query that may have been answered is never repeated.
            ApiError: A refusal; above all `ResponseRefusedError` and `ProviderUnavailableError`.
        """
        return query(self._service, html, prompt, response_format)

    def close(self) -> None:
        """Gives the client's connections back. Browsers that are open stay open."""
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
