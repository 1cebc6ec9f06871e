"""Connects Selenium to a browser. Requires `pip install "remote-browser[selenium]"`.

Selenium only connects to a host and port. The Node package `@remote-browser/tunnel` opens a port.
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
    """Attaches a driver to a browser for the duration of the `with` block.

    At the end of the block, the driver quits, the tunnel closes, and the browser stays open. Within
    the block, every user of this machine can control the browser through the tunnel's port.

    Args:
        browser: The browser.
        tunnel: The command that starts the tunnel, such as `["node",
            "CLONE/clients/tunnel/dist/main.js"]`. Default: `remote-browser-tunnel`.
        options: Selenium's options. Options for starting a browser have no effect.
        service: The chromedriver, which must have the browser's major version. Default: from the
            PATH, or else the version that Selenium finds.
        timeout: Timeout for the tunnel to connect, in seconds.

    Raises:
        ConnectionError: If the tunnel or Selenium can't connect, or isn't installed.
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
