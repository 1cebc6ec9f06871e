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

    This class is thread-safe. As a context manager, it releases its connections at the end of the
    `with` block. Browsers stay open.
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
        """Creates a client without sending a request.

        Args:
            url: The service's URL, including a path prefix. Default: `RBS_URL`, or else
                http://127.0.0.1:8080.
            token: The account's token. Default: `RBS_TOKEN`.
            timeout: Timeout for one attempt in seconds, from connecting to the last byte of the
                response. It doesn't apply to queries.
            total_timeout: Timeout for a call in seconds, including all attempts and the pauses
                between them.
            retries: Maximum number of retries of a call, where retrying is safe.
            headers: Extra headers for every request.

        Raises:
            ValueError: If a setting is invalid, or the token is missing.
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
        """Opens a browser, by default Chromium with a screen in stealth mode.

        Returns when the browser is ready for its first DevTools command. For all options and their
        units, see `help(remote_browser.OpenOptions)`.

        If the response is lost, the client repeats the request, and the service still opens only
        one browser. With contract version 1.0, the call fails instead, because the service may have
        opened the browser. `wait_for_place` extends the timeout of each attempt.

        Args:
            idempotency_key: All calls with the same key and options return the same browser until
                24 hours after its end, even if your program restarts in between. 1 to 255 visible
                ASCII characters. Contract version 1.0 ignores the key. Default: a new key for each
                call.
            options: The browser's options.

        Raises:
            TypeError: If an option is unknown or has the wrong type.
            ValueError: If the key contains other characters.
            ConnectionError, TimeoutError: If the connection or the attempts fail.
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
        """Returns a handle for an open browser without sending a request.

        Raises:
            TypeError: If the address is not a string.
            ValueError: If the address is empty.
        """
        return RemoteBrowser(self._service, _given("address", address))

    def browser_by_id(self, id: str) -> BrowserHandle:
        """Returns a handle for an open or ended browser without sending a request.

        Args:
            id: An id from `browser.id`, `list()` or `history()`.

        Raises:
            TypeError: If the id is not a string.
            ValueError: If the id is empty.
        """
        return BrowserHandle(self._service, Reference(None, _given("id", id)))

    def history(self, **options: Unpack[HistoryOptions]) -> Iterator[BrowserRecord]:
        """Iterates over open browsers, the latest first, and then over ended browsers.

        The last ended browser comes first. The client requests pages while you iterate. For the
        options, see `help(remote_browser.HistoryOptions)`. Datetimes require a time zone.

        Raises:
            TypeError: If an option is unknown or has the wrong type.
            NotFoundError: While iterating, if the service has contract version 1.0.
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
        """Closes the open browsers with a label or a tag, or all open browsers of the account.

        Pass exactly one argument. Browsers that are being opened during the call may stay open.
        Returns the number of browsers that the last attempt closed.

        Raises:
            BadRequestError: If you don't pass exactly one argument.
            NotFoundError: If the service has contract version 1.0.
        """
        given = {"label": label, "tag": tag, "all": all}
        selection = {name: value for name, value in given.items() if value is not None}
        return self._service.close_all(selection).closed

    def account(self) -> AccountInfo:
        """Returns the account's plan, its limits, and this month's usage.

        Raises:
            NotFoundError: If the service has contract version 1.0.
        """
        return to_answer(AccountInfo, self._service.account())

    @overload
    def query(self, html: str, prompt: str, response_format: Literal["text"] = "text") -> str: ...

    @overload
    def query(self, html: str, prompt: str, response_format: Literal["json"]) -> Any: ...

    @overload
    def query(self, html: str, prompt: str, response_format: type[T]) -> T: ...

    def query(self, html: str, prompt: str, response_format: Any = "text") -> Any:
        """Queries a language model about an HTML document.

        A query that may have been carried out is never retried.

        Args:
            html: The document or a fragment.
            prompt: The instruction for the model.
            response_format: "text" for text, "json" for JSON whose structure depends on the prompt,
                or a type that pydantic supports, such as a model or `list[float]`, for a value of
                that type.

        Raises:
            InvalidAnswerError: If the value doesn't match the type.
            ConnectionError, TimeoutError: If the connection or the attempts fail.
            ApiError: For example `ResponseRefusedError` or `ProviderUnavailableError`.
        """
        return query(self._service, html, prompt, response_format)

    def close(self) -> None:
        """Releases the client's connections. Browsers stay open."""
        self._service.close_connections()

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
