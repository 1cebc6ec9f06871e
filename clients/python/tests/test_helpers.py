from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from playwright.sync_api import Error
from selenium import webdriver
from support import ADDRESS, client_of, is_running

import remote_browser.playwright
import remote_browser.selenium
from remote_browser import ConnectionError
from remote_browser._tunnel import open_tunnel

SECRET = ADDRESS.rpartition("/")[2]

# Replacements for remote-browser-tunnel. Each first writes its process id to a file for the test.
START = "import os, sys, time; print(os.getpid(), file=open(sys.argv[1], 'w')); "
OPENS = START + "print('DevTools: 127.0.0.1:4711 leads to a Chromium.', flush=True); time.sleep(60)"
FAILS = START + "print(sys.argv[2], 'knows nothing', file=sys.stderr); sys.exit(3)"
HANGS = START + "time.sleep(60)"


def command(program: str, tmp_path: Any) -> list[str]:
    return [sys.executable, "-c", program, str(tmp_path / "pid")]


def pid_in(tmp_path: Any) -> int:
    return int((tmp_path / "pid").read_text())


def test_a_tunnel_prints_its_port_and_ends_with_the_with_block(tmp_path: Any) -> None:
    with open_tunnel(ADDRESS, command(OPENS, tmp_path), 10) as port:
        assert port == 4711
        assert is_running(pid_in(tmp_path))
    assert not is_running(pid_in(tmp_path))


def test_a_tunnel_that_cannot_connect_says_why_without_the_address(tmp_path: Any) -> None:
    with (
        pytest.raises(ConnectionError, match="… knows nothing") as caught,
        open_tunnel(ADDRESS, command(FAILS, tmp_path), 10),
    ):
        pass
    assert SECRET not in str(caught.value)


def test_a_tunnel_that_prints_nothing_is_stopped(tmp_path: Any) -> None:
    with (
        pytest.raises(ConnectionError, match=r"0\.5 s"),
        open_tunnel(ADDRESS, command(HANGS, tmp_path), 0.5),
    ):
        pass
    if os.path.exists(tmp_path / "pid"):
        assert not is_running(pid_in(tmp_path))


def test_a_missing_tunnel_command_is_named() -> None:
    with (
        pytest.raises(ConnectionError, match=r"command no-such-tunnel .*@remote-browser/tunnel"),
        open_tunnel(ADDRESS, ["no-such-tunnel"], 1),
    ):
        pass


def test_without_the_tunnel_package_the_error_says_how_to_install_it(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = tmp_path / "asked"
    npx = tmp_path / "npx"
    npx.write_text(f"#!/bin/sh\n: > {asked}\n")
    npx.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConnectionError) as caught, open_tunnel(ADDRESS, None, 10):
        pass
    message = str(caught.value)
    assert message.startswith(
        "The command remote-browser-tunnel could not be started: No such file"
    )
    for words in ["@remote-browser/tunnel", "npm run build -w clients/tunnel", "Node 22.12"]:
        assert words in message
    assert 'tunnel=["node", "CLONE/clients/tunnel/dist/main.js"]' in message
    assert caught.value.__context__ is None
    assert not asked.exists()


def test_the_tunnel_on_the_path_is_used(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tunnel = tmp_path / "remote-browser-tunnel"
    tunnel.write_text("#!/bin/sh\necho DevTools: 127.0.0.1:4712 leads to a Chromium.\n")
    tunnel.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_tunnel(ADDRESS, None, 10) as port:
        assert port == 4712


def test_selenium_failing_to_connect_is_a_connection_error(tmp_path: Any) -> None:
    browser = client_of("http://127.0.0.1:1").browser(ADDRESS)
    service = webdriver.ChromeService(str(tmp_path / "no-chromedriver"))
    with (
        pytest.raises(ConnectionError, match="Selenium could not connect") as caught,
        remote_browser.selenium.open_driver(
            browser, tunnel=command(OPENS, tmp_path), service=service
        ),
    ):
        pass
    assert caught.value.__context__ is None
    assert not is_running(pid_in(tmp_path))


class Refusing:
    """A Playwright that can't connect."""

    def __init__(self) -> None:
        self.chromium = self
        self.timeout: float | None = None

    def connect_over_cdp(self, address: str, timeout: float) -> Any:
        self.timeout = timeout
        raise Error(f"connect ECONNREFUSED\nCall log:\n  <ws connecting> {address}")


def test_playwright_failing_to_connect_does_not_show_the_address() -> None:
    playwright: Any = Refusing()
    with pytest.raises(ConnectionError, match="ECONNREFUSED") as caught:
        remote_browser.playwright.connect(
            client_of("http://127.0.0.1:1").browser(ADDRESS), playwright, timeout=3
        )
    assert playwright.timeout == 3000
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None
