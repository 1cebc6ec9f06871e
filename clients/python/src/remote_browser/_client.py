from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Literal, TypeVar, overload

from typing_extensions import Self, Unpack

from remote_browser._browser import BrowserHandle, RemoteBrowser
from remote_browser._calls import World
from remote_browser._generated import core
from remote_browser._generated.answers import AccountInfo, BrowserRecord
from remote_browser._generated.options import HistoryOptions, OpenOptions
from remote_browser._options import HISTORY, OPEN
from remote_browser._query import query
from remote_browser._records import read_history, to_answer
from remote_browser._reference import Reference
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

    def open(
        self, *, idempotency_key: str | None = None, **options: Unpack[OpenOptions]
    ) -> RemoteBrowser:
        """Opens a browser. Without options, it is Chromium with a screen, in stealth mode.

        Returns when the browser is ready for its first DevTools command. For all options and their
        units, see `help(remote_browser.OpenOptions)`. If the response is lost, the client sends the
        request again, and the service still opens only one browser.

        Args:
            idempotency_key: Makes several calls open one browser, for example after your program
                was restarted: all calls with the same key and the same options return the same
                browser, until 24 hours after its end. 1 to 255 visible ASCII characters. Needs
                contract version 1.1; earlier versions ignore it. Default: a new key for each call.
            options: The options of the browser.

        Raises:
            TypeError: For an unknown option, or one of the wrong type.
            ValueError: When the key has other characters.
            ConnectionError, TimeoutError: With contract version 1.0, an Open request that may have
                succeeded is not retried.
            ApiError: For example `BrowserLimitError` or `BrowserUnavailableError`.
        """
        key = str(uuid.uuid4()) if idempotency_key is None else _read_key(idempotency_key)
        opened = self._service.open(core.OpenOptions.model_construct(**OPEN.read(options)), key)
        return RemoteBrowser(self._service, opened.address, opened.id)

    def list(self) -> list[Session]:
        """Lists the account's open browsers, oldest first."""
        return [
            to_answer(
                Session,
                each,
                _handle=BrowserHandle(self._service, Reference(each.address, each.id)),
            )
            for each in self._service.list().sessions
        ]

    def browser(self, address: str) -> RemoteBrowser:
        """Returns a handle for an open browser. Sends nothing.

        Raises:
            TypeError: When the address is not a string.
            ValueError: When the address is empty.
        """
        return RemoteBrowser(self._service, _given("address", address))

    def browser_by_id(self, id: str) -> BrowserHandle:
        """Returns a handle for a browser, open or ended, from its id. Sends nothing.

        The id comes from `browser.id`, `list()` or `history()`.

        Raises:
            TypeError: When the id is not a string.
            ValueError: When the id is empty.
        """
        return BrowserHandle(self._service, Reference(None, _given("id", id)))

    def history(self, **options: Unpack[HistoryOptions]) -> Iterator[BrowserRecord]:
        """Iterates over open and ended browsers.

        First come the open ones, the last opened first; then the ended ones, the last ended first.
        The client requests them in parts, as you iterate. For the options, see
        `help(remote_browser.HistoryOptions)`; datetimes need a time zone.

        Raises:
            TypeError: For an unknown option, or one of the wrong type.
            NotFoundError: While iterating, when the service has contract version 1.0.
        """
        request = core.HistoryRequest.model_construct(**HISTORY.read(options))
        return read_history(self._service, request)

    @overload
    def close_all(self, *, label: str) -> int: ...

    @overload
    def close_all(self, *, tag: str) -> int: ...

    @overload
    def close_all(self, *, all: Literal[True]) -> int: ...

    def close_all(
        self, *, label: str | None = None, tag: str | None = None, all: bool | None = None
    ) -> int:
        """Closes the open browsers that have a label or a tag, or all of the account.

        Pass exactly one argument. Browsers that are being opened during the call may stay open.
        Returns how many browsers were closed. If the call was retried, the number leaves out
        browsers that earlier attempts closed.

        Raises:
            BadRequestError: When it is not exactly one argument.
            NotFoundError: When the service has contract version 1.0.
        """
        given = {"label": label, "tag": tag, "all": all}
        selection = {name: value for name, value in given.items() if value is not None}
        return self._service.close_all(selection).closed

    def account(self) -> AccountInfo:
        """Returns the account's plan, its limits, and what it has used in this month.

        Raises:
            NotFoundError: When the service has contract version 1.0.
        """
        return to_answer(AccountInfo, self._service.account())

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


def _read_key(text: object) -> str:
    """Refuses keys that HTTP can't send unchanged in a header. The service checks the length."""
    if not isinstance(text, str):
        raise TypeError(f"idempotency_key must be a string, not {type(text).__name__}.")
    if re.fullmatch(r"[\x21-\x7e]*", text) is None:
        raise ValueError("idempotency_key must be visible ASCII characters, without spaces.")
    return text


def _given(what: Literal["address", "id"], text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"The {what} must be a string, not {type(text).__name__}.")
    if not text.strip():
        raise ValueError(f"The {what} is empty: pass an {what} from open() or list().")
    return text
