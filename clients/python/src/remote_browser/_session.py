from __future__ import annotations

from dataclasses import dataclass, field

from typing_extensions import Unpack

from remote_browser._browser import BrowserHandle
from remote_browser._generated import answers
from remote_browser._generated.answers import BrowserRecord, Screenshot
from remote_browser._generated.options import UpdateOptions


@dataclass(frozen=True)
class Session(answers.Session):
    """One open browser of the account."""

    _handle: BrowserHandle = field(repr=False, compare=False, kw_only=True)

    def close(self) -> None:
        """Closes the browser, as `RemoteBrowser.close` does."""
        self._handle.close()

    def info(self) -> BrowserRecord:
        """Returns the browser's record, as `RemoteBrowser.info` does."""
        return self._handle.info()

    def screenshot(self) -> Screenshot:
        """Takes a picture of what the browser shows, as `RemoteBrowser.screenshot` does."""
        return self._handle.screenshot()

    def update(self, **changes: Unpack[UpdateOptions]) -> BrowserRecord:
        """Changes the browser, as `RemoteBrowser.update` does."""
        return self._handle.update(**changes)

    def wait_closed(self, timeout: float | None = None) -> str:
        """Waits until the browser has ended, as `RemoteBrowser.wait_closed` does."""
        return self._handle.wait_closed(timeout)
