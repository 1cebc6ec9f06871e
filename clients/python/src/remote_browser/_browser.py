from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, field
from types import TracebackType

from typing_extensions import Self

from remote_browser._generated.errors import BrowserNotFoundError
from remote_browser._service import Service
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


class RemoteBrowser:
    """An open browser. As a context manager, it closes at the end of the `with` block.

    It is thread-safe.
    """

    def __init__(self, service: Service, address: str) -> None:
        self._service = service
        self._address = address
        self._is_closed = False

    @property
    def address(self) -> str:
        """The WebSocket URL of the browser's DevTools endpoint.

        Keep it secret: it gives full control of the browser. You can pass it to Playwright's
        `connect_over_cdp` and to any other DevTools client.
        """
        return self._address

    def close(self) -> None:
        """Closes the browser. Succeeds if it has already ended, so you can call it twice."""
        if self._is_closed:
            return
        with contextlib.suppress(BrowserNotFoundError):
            self._service.close(self._address)
        self._is_closed = True

    def start_desktop(self) -> Desktop:
        """Starts the browser's remote desktop. If it is already running, it stays unchanged.

        Raises:
            DesktopUnavailableError: When the browser is headless, so it has no screen.
            BrowserNotFoundError: When the browser has ended.
        """
        started = self._service.start_desktop(self._address)
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
        self._service.stop_desktop(self._address)

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

    def __repr__(self) -> str:
        return "RemoteBrowser(address=<secret>)"
