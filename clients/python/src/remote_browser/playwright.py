"""Connects Playwright to a browser. Requires `pip install "remote-browser[playwright]"`."""

from __future__ import annotations

from playwright.sync_api import Browser, Error, Playwright

from remote_browser._browser import RemoteBrowser
from remote_browser._redact import without_secrets
from remote_browser.errors import ConnectionError


def connect(browser: RemoteBrowser, playwright: Playwright, *, timeout: float = 30) -> Browser:
    """Connects Playwright to a browser. Closing the result only disconnects.

    Args:
        browser: The browser.
        playwright: The value of `with sync_playwright() as playwright`.
        timeout: Timeout for connecting, in seconds.

    Raises:
        ConnectionError: If Playwright can't connect, for example because the browser has ended.
    """
    try:
        return playwright.chromium.connect_over_cdp(browser.address, timeout=timeout * 1000)
    except Error as error:
        # Playwright's message quotes the address, which is a secret.
        message = without_secrets(error.message, browser.address)
    raise ConnectionError(f"Playwright could not connect to the browser: {message}")
