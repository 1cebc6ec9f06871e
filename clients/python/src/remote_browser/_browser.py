from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, field
from types import TracebackType

from typing_extensions import Self, Unpack

from remote_browser._generated.answers import BrowserRecord, Screenshot
from remote_browser._generated.errors import BrowserNotFoundError
from remote_browser._generated.options import UpdateOptions
from remote_browser._options import UPDATE
from remote_browser._records import to_answer, to_screenshot
from remote_browser._reference import Reference
from remote_browser._service import Service
from remote_browser._wait import wait_closed
from remote_browser.errors import RemoteBrowserError


@dataclass(frozen=True)
class Desktop:
    """The URLs and passwords of a browser's remote desktop."""

    url: str = field(repr=False)
    """A web page that shows the desktop. Its fragment contains the password."""

    rfb_url: str = field(repr=False)
    """A WebSocket URL for VNC viewers. It requires one of the passwords."""

    password: str = field(repr=False)
    """The password for full access to screen, mouse and keyboard; 8 characters."""

    view_password: str = field(repr=False)
    """The password for view-only access; 8 characters."""


class BrowserHandle:
    """A browser, with everything that needs no DevTools connection. It is thread-safe."""

    def __init__(self, service: Service, reference: Reference) -> None:
        self._service = service
        self._reference = reference
        self._is_closed = False

    @property
    def id(self) -> str | None:
        """Identifies the browser in the history, in logs and in questions to the operator.

        It is not a secret. It is `None` if the handle was created from an address, or if the
        service has contract version 1.0.
        """
        return self._reference.id

    def info(self) -> BrowserRecord:
        """Returns the browser's record, even after it has ended.

        It shows the state, why the browser ended, and what it has consumed.

        Raises:
            BrowserNotFoundError: When the service doesn't keep the record any more.
            NotFoundError: When the service has contract version 1.0.
        """
        return to_answer(BrowserRecord, self._service.info(self._reference))

    def update(self, **changes: Unpack[UpdateOptions]) -> BrowserRecord:
        """Changes the inactivity period, the lifetime, the label or the tags of the open browser.

        `keep_open` and `lifetime` are in seconds. Returns the record with the new values.

        Raises:
            TypeError: For an unknown value, or one of the wrong type.
            BrowserNotFoundError: When the browser has ended.
            NotFoundError: When the service has contract version 1.0.
        """
        changed = self._service.update(self._reference, UPDATE.read(changes))
        return to_answer(BrowserRecord, changed)

    def wait_closed(self, timeout: float | None = None) -> str:
        """Waits until the browser has ended, and returns the reason.

        The reason is for example "requested", "inactive", "lifetime" or "crashed". Later versions
        may add values. Waiting needs no DevTools connection, and doesn't keep the browser open.

        Args:
            timeout: How long to wait at most, in seconds. Default: until the browser has ended.

        Raises:
            TimeoutError: When the browser is still open after the timeout.
            BrowserNotFoundError: When the service doesn't keep the record any more.
            NotFoundError: When the service has contract version 1.0.
        """
        return wait_closed(self._service, self._reference, timeout)

    def screenshot(self) -> Screenshot:
        """Takes a picture of what the open browser shows now.

        It is the whole screen of a browser with a graphical interface, and the visible part of the
        front page of a headless one. The browser's pages and clients don't notice it.

        Raises:
            BrowserNotFoundError: When the browser has ended.
            BrowserUnavailableError: When no picture can be taken, for example because the browser
                shows no page.
            NotFoundError: When the service has contract version 1.0.
        """
        return to_screenshot(self._service.screenshot(self._reference))

    def close(self) -> None:
        """Closes the browser. Succeeds if it has already ended, so you can call it twice."""
        if self._is_closed:
            return
        with contextlib.suppress(BrowserNotFoundError):
            self._service.close(self._reference)
        self._is_closed = True

    def start_desktop(self) -> Desktop:
        """Starts the browser's remote desktop. If it is already running, it stays unchanged.

        Raises:
            DesktopUnavailableError: When the browser is headless, so it has no screen.
            BrowserNotFoundError: When the browser has ended.
        """
        started = self._service.start_desktop(self._reference)
        return Desktop(
            url=started.url,
            rfb_url=started.rfb_url,
            password=started.password,
            view_password=started.view_password,
        )

    def stop_desktop(self) -> None:
        """Stops the browser's remote desktop, if it is running, and disconnects all viewers.

        Raises:
            BrowserNotFoundError: When the browser has ended.
        """
        self._service.stop_desktop(self._reference)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"


class RemoteBrowser(BrowserHandle):
    """An open browser. As a context manager, it closes at the end of the `with` block.

    It is thread-safe.
    """

    def __init__(self, service: Service, address: str, id: str | None = None) -> None:
        super().__init__(service, Reference(address, id))
        self._address = address

    @property
    def address(self) -> str:
        """The WebSocket URL of the browser's DevTools endpoint.

        Keep it secret: it gives full control of the browser. You can pass it to Playwright's
        `connect_over_cdp` and to any other DevTools client.
        """
        return self._address

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except RemoteBrowserError as failure:
            if error is None:
                raise
            # Let the original error propagate: it is the one that the caller needs to see.
            if sys.version_info >= (3, 11):
                error.add_note(f"The browser could not be closed either: {failure}")
