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
    """Controls a browser without a DevTools connection. This class is thread-safe."""

    def __init__(self, service: Service, reference: Reference) -> None:
        self._service = service
        self._reference = reference
        self._is_closed = False

    @property
    def id(self) -> str | None:
        """Identifies the browser in the history and in logs. It is not a secret.

        `None` if the handle was created from an address, or if the service has contract version
        1.0.
        """
        return self._reference.id

    def info(self) -> BrowserRecord:
        """Returns the record of an open or ended browser.

        It contains the state, the reason for the browser's end, and what the browser has consumed.

        Raises:
            BrowserNotFoundError: If the service no longer keeps the ended browser's record.
            NotFoundError: If the service has contract version 1.0.
        """
        return to_answer(BrowserRecord, self._service.info(self._reference))

    def update(self, **changes: Unpack[UpdateOptions]) -> BrowserRecord:
        """Changes the inactivity period, the lifetime, the label or the tags of an open browser.

        `keep_open` and `lifetime` are in seconds. Returns the record with the new values.

        Raises:
            TypeError: If an option is unknown or has the wrong type.
            BrowserNotFoundError: If the browser has ended.
            NotFoundError: If the service has contract version 1.0.
        """
        changed = self._service.update(self._reference, UPDATE.read(changes))
        return to_answer(BrowserRecord, changed)

    def wait_closed(self, timeout: float | None = None) -> str:
        """Waits until the browser has ended, and returns the reason.

        Reasons include "requested", "inactive", "lifetime" and "crashed". Later versions may add
        values. Waiting requires no DevTools connection, and doesn't keep the browser open.

        Args:
            timeout: Maximum wait in seconds. Default: no limit.

        Raises:
            TimeoutError: If the browser is still open after the timeout.
            BrowserNotFoundError: If the service no longer keeps the ended browser's record.
            NotFoundError: If the service has contract version 1.0.
        """
        return wait_closed(self._service, self._reference, timeout)

    def screenshot(self) -> Screenshot:
        """Takes a picture of an open browser.

        It shows the whole screen, or the visible part of the front page if the browser is headless.
        Pages and clients can't detect it.

        Raises:
            BrowserNotFoundError: If the browser has ended.
            BrowserUnavailableError: If the service can't take a picture, for example because the
                browser shows no page.
            NotFoundError: If the service has contract version 1.0.
        """
        return to_screenshot(self._service.screenshot(self._reference))

    def screenshot_image(self) -> bytes:
        """Returns the bytes of the same picture as a PNG or JPEG file.

        This is a preview, which services may lack and later versions may change.

        Raises:
            NotFoundError: If the service doesn't offer this preview.
        """
        return self._service.screenshot_image(self._reference.id or self.info().id)

    def close(self) -> None:
        """Closes the browser. Succeeds if the browser has already ended."""
        if self._is_closed:
            return
        with contextlib.suppress(BrowserNotFoundError):
            self._service.close(self._reference)
        self._is_closed = True

    def start_desktop(self) -> Desktop:
        """Starts the browser's remote desktop.

        If the desktop is already running, its URLs and passwords stay the same.

        Raises:
            DesktopUnavailableError: If the browser is headless.
            BrowserNotFoundError: If the browser has ended.
        """
        return to_answer(Desktop, self._service.start_desktop(self._reference))

    def stop_desktop(self) -> None:
        """Stops the browser's remote desktop and disconnects its viewers.

        Raises:
            BrowserNotFoundError: If the browser has ended.
        """
        self._service.stop_desktop(self._reference)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"


class RemoteBrowser(BrowserHandle):
    """An open browser, which closes at the end of its `with` block.

    This class is thread-safe.
    """

    def __init__(self, service: Service, address: str, id: str | None = None) -> None:
        super().__init__(service, Reference(address, id))
        self._address = address

    @property
    def address(self) -> str:
        """The WebSocket URL of the browser's DevTools endpoint.

        Treat it as a secret: anyone who has it can control the browser. Pass it to Playwright's
        `connect_over_cdp` or to any other DevTools client.
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
            # The original error matters more, so let it propagate.
            if sys.version_info >= (3, 11):
                error.add_note(f"The browser could not be closed either: {failure}")
