"""Drives a remote browser with Selenium: `pip install "remote-browser[selenium]"`.

Selenium connects to a host and a port only. The Node package `@remote-browser/tunnel` gives it one.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence

from selenium import webdriver
from selenium.common import WebDriverException

from remote_browser._browser import RemoteBrowser
from remote_browser._redact import without_secrets
from remote_browser._tunnel import open_tunnel
from remote_browser.errors import ConnectionError


@contextlib.contextmanager
def open_driver(
    browser: RemoteBrowser,
    *,
    tunnel: Sequence[str] | None = None,
    options: webdriver.ChromeOptions | None = None,
    service: webdriver.ChromeService | None = None,
    timeout: float = 30,
) -> Iterator[webdriver.Chrome]:
    """A driver that is attached to a browser, while the `with` statement runs.

    At its end the driver quits and the tunnel ends; the browser stays open. While it runs, every
    user of this machine can drive the browser by the tunnel's port.

    Args:
        browser: The browser to drive.
        tunnel: The command that starts the tunnel, such as
            `["node", "CLONE/clients/tunnel/dist/main.js"]`; left out, `remote-browser-tunnel`, of
            the PATH.
        options: Selenium's own; what says how a browser starts has no effect.
        service: Which chromedriver: one of the browser's major version. Left out, the one on the
            PATH, or else what Selenium finds.
        timeout: Seconds that the tunnel may take to connect.

    Raises:
        ConnectionError: When the tunnel or Selenium cannot connect, or there is none of the two.
    """
    options = options or webdriver.ChromeOptions()
    service = service or webdriver.ChromeService(shutil.which("chromedriver"))
    with open_tunnel(browser.address, tunnel, timeout) as port:
        options.debugger_address = f"127.0.0.1:{port}"
        driver = _start(options, service, browser.address)
        try:
            yield driver
        finally:
            driver.quit()


def _start(
    options: webdriver.ChromeOptions, service: webdriver.ChromeService, address: str
) -> webdriver.Chrome:
    try:
        return webdriver.Chrome(options=options, service=service)
    except WebDriverException as error:
        message = without_secrets(error.msg or type(error).__name__, address)
    raise ConnectionError(f"Selenium could not connect to the browser: {message}")
