from __future__ import annotations

from dataclasses import dataclass, field

from typing_extensions import Unpack

from remote_browser._browser import BrowserHandle
from remote_browser._generated import answers
from remote_browser._generated.answers import BrowserRecord, Screenshot
from remote_browser._generated.options import UpdateOptions


@dataclass(frozen=True)
class Session(answers.Session):
    """An open browser of the account."""

    _handle: BrowserHandle = field(repr=False, compare=False, kw_only=True)

    def close(self) -> None:
        """Closes the browser. See `RemoteBrowser.close`."""
        self._handle.close()

    def info(self) -> BrowserRecord:
        """Returns the browser's record. See `RemoteBrowser.info`."""
        return self._handle.info()

    def screenshot(self) -> Screenshot:
        """Takes a picture of the browser. See `RemoteBrowser.screenshot`."""
        return self._handle.screenshot()

    def update(self, **changes: Unpack[UpdateOptions]) -> BrowserRecord:
        """Changes the browser. See `RemoteBrowser.update`."""
        return self._handle.update(**changes)

    def wait_closed(self, timeout: float | None = None) -> str:
        """Waits until the browser has ended. See `RemoteBrowser.wait_closed`."""
        return self._handle.wait_closed(timeout)
