"""The client of the Remote Browser Service, which opens browsers on a server."""

from remote_browser._browser import BrowserHandle, Desktop, RemoteBrowser
from remote_browser._client import RemoteBrowserClient
from remote_browser._generated import errors as _contracts
from remote_browser._generated.answers import AccountInfo, BrowserRecord, Screenshot
from remote_browser._generated.core import BadRequestProblem, SupportedBrowser
from remote_browser._generated.errors import *
from remote_browser._generated.options import (
    HistoryOptions,
    OpenOptions,
    Proxy,
    Screen,
    UpdateOptions,
)
from remote_browser._session import Session
from remote_browser._version import __version__
from remote_browser.errors import (
    ApiError,
    ConnectionError,
    InvalidAnswerError,
    RemoteBrowserError,
    TimeoutError,
)

__all__ = [
    "AccountInfo",
    "ApiError",
    "BadRequestProblem",
    "BrowserHandle",
    "BrowserRecord",
    "ConnectionError",
    "Desktop",
    "HistoryOptions",
    "InvalidAnswerError",
    "OpenOptions",
    "Proxy",
    "RemoteBrowser",
    "RemoteBrowserClient",
    "RemoteBrowserError",
    "Screen",
    "Screenshot",
    "Session",
    "SupportedBrowser",
    "TimeoutError",
    "UpdateOptions",
    "__version__",
]
__all__ += _contracts.__all__

# Tracebacks show the public package instead of its private module.
for _error in _contracts.ERRORS.values():
    _error.__module__ = __name__
