from __future__ import annotations

import socket
import time

import pytest
from scenarios.stage import Stage

from remote_browser import (
    BadRequestError,
    BrowserUnavailableError,
    ConnectionError,
    IdempotencyKeyReusedError,
    SupportedBrowser,
    TimeoutError,
)


def when_told(stage: Stage) -> None:
    fault = stage.fault("busy-once")
    with stage.client(fault).open(headless=True):
        assert fault.log() == ["openBrowser"] * 2


def rate(stage: Stage) -> None:
    fault = stage.fault("limited-once")
    stage.client(fault).list()
    assert fault.log() == ["getBrowsers"] * 2


def bounded(stage: Stage) -> None:
    fault = stage.fault("busy-always")
    with pytest.raises(BrowserUnavailableError) as caught:
        stage.client(fault, retries=1).open()
    assert caught.value.retry_after == 1
    assert fault.log() == ["openBrowser"] * 2


def not_installed(stage: Stage) -> None:
    fault = stage.fault("not-installed")
    with pytest.raises(BrowserUnavailableError) as caught:
        stage.client(fault).open()
    assert caught.value.retry_after is None
    assert fault.log() == ["openBrowser"]
    if stage.name == "real":
        logged = stage.fault("pass")
        with pytest.raises(BrowserUnavailableError) as caught:
            stage.client(logged).open(headless=True, browser=SupportedBrowser.Chrome)
        assert caught.value.retry_after is None
        assert logged.log() == ["openBrowser"]


def open_again(stage: Stage) -> None:
    fault, label = stage.fault("cut-after"), stage.label()
    with stage.client(fault).open(headless=True, label=label) as browser:
        assert fault.log() == ["openBrowser", "getAccount", "openBrowser"]
        if stage.name != "mock":
            assert addresses(stage, label) == [browser.address]


def open_key(stage: Stage) -> None:
    label = stage.label()
    key = label.replace(" ", "-")
    with stage.client().open(headless=True, label=label, idempotency_key=key) as browser:
        again = stage.client().open(headless=True, label=label, idempotency_key=key)
        assert again.address == browser.address
        assert addresses(stage, label) == [browser.address]
        with pytest.raises(IdempotencyKeyReusedError):
            stage.client().open(headless=False, label=label, idempotency_key=key)
        with pytest.raises(BadRequestError):
            stage.client().open(headless=True, label=label, idempotency_key="")


def addresses(stage: Stage, label: str) -> list[str]:
    return [each.address for each in stage.client().list() if each.label == label]


def open_once(stage: Stage) -> None:
    fault, label = stage.fault("first-version-cut-after"), stage.label()
    with pytest.raises(ConnectionError):
        stage.client(fault).open(headless=True, label=label)
    assert fault.log() == ["openBrowser", "getAccount"]
    client = stage.client()
    for session in client.list():
        if session.label == label:
            client.browser(session.address).close()


def list_again(stage: Stage) -> None:
    fault = stage.fault("cut-after")
    stage.client(fault).list()
    assert fault.log() == ["getBrowsers"] * 2


def update_again(stage: Stage) -> None:
    fault = stage.fault("cut-after")
    with stage.client().open(headless=True) as browser:
        changed = stage.client(fault).browser(browser.address).update(keep_open=60)
        assert changed.state == "open"
    assert fault.log() == ["updateBrowser"] * 2


def close_again(stage: Stage) -> None:
    fault, client = stage.fault("cut-after"), stage.client()
    browser = client.open(headless=True)
    stage.client(fault).browser(browser.address).close()
    assert fault.log() == ["closeBrowser"] * 2
    assert browser.address not in [each.address for each in client.list()]


def refused(stage: Stage) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(ConnectionError, match=place):
        stage.client(url=f"http://{place}", retries=0).list()


def late_answer(stage: Stage) -> None:
    fault = stage.fault("silent")
    with pytest.raises(TimeoutError):
        stage.client(fault, timeout=0.3, retries=0).open()
    assert fault.log() == ["openBrowser"]


def late_body(stage: Stage) -> None:
    with pytest.raises(TimeoutError):
        stage.client(stage.fault("half"), timeout=0.3, retries=0).list()


def total(stage: Stage) -> None:
    fault = stage.fault("busy-long")
    started = time.monotonic()
    with pytest.raises(BrowserUnavailableError):
        stage.client(fault).open()
    assert fault.log() == ["openBrowser"]
    with pytest.raises(TimeoutError):
        stage.client(stage.fault("silent"), total_timeout=0.5, retries=2).list()
    assert time.monotonic() - started < 5
