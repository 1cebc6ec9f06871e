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
    """The remote desktop of a browser, and the ways to it."""

    url: str = field(repr=False)
    """A web page that shows the desktop. Opening it is enough: the password is in its fragment."""

    rfb_url: str = field(repr=False)
    """A WebSocket address for VNC viewers; it asks for one of the passwords."""

    password: str = field(repr=False)
    """For full use, screen, mouse and keyboard; 8 characters."""

    view_password: str = field(repr=False)
    """For watching only; 8 characters."""


class RemoteBrowser:
    """An open browser. In a `with` statement it closes at the end.

    It may be used from several threads at once.
    """

    def __init__(self, service: Service, address: str) -> None:
        self._service = service
        self._address = address
        self._is_closed = False

    @property
    def address(self) -> str:
        """The browser's DevTools endpoint, a complete WebSocket URL.

        It is a secret: whoever has it drives the browser. Playwright's `connect_over_cdp` and every
        client of the DevTools protocol take it as it is.
        """
        return self._address

    def close(self) -> None:
        """Closes the browser. One that has ended already is no error, so calling twice is fine."""
        if self._is_closed:
            return
        with contextlib.suppress(BrowserNotFoundError):
            self._service.close(self._address)
        self._is_closed = True

    def start_desktop(self) -> Desktop:
        """Starts the browser's remote desktop; one that is started already stays as it is.

        Raises:
            DesktopUnavailableError: For a headless browser, which has no screen to show.
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
        """Stops the browser's remote desktop, if it is started, and lets all viewers go.

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
            # What went wrong first is what the caller has to learn of.
            if sys.version_info >= (3, 11):
                error.add_note(f"The browser could not be closed either: {failure}")

    def __repr__(self) -> str:
        return "RemoteBrowser(address=<secret>)"
