from __future__ import annotations

import time

from scenarios.stage import Stage

from remote_browser import SupportedBrowser


def addresses(stage: Stage) -> list[str]:
    return [each.address for each in stage.client().list()]


def lifecycle(stage: Stage) -> None:
    with stage.client() as client:
        browser = client.open(headless=True)
        assert browser.address.startswith("ws")
        assert browser.address in addresses(stage)
        browser.close()
        assert browser.address not in addresses(stage)


def close_ended(stage: Stage) -> None:
    client = stage.client()
    browser = client.open(headless=True)
    browser.close()
    client.browser(browser.address).close()
    browser.close()


def closes_itself(stage: Stage) -> None:
    with stage.client().open(headless=True) as browser:
        assert browser.address in addresses(stage)
    assert browser.address not in addresses(stage)


def options(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    with client.open(
        headless=True,
        stealth=False,
        keep_open=2.5,
        label=label,
        args=["--lang=de-DE"],
        browser=SupportedBrowser.ChromeHeadlessShell,
    ) as browser:
        if stage.has_state:
            assert [each.address for each in client.list() if each.label == label] == [
                browser.address
            ]


def keep_open(stage: Stage) -> None:
    with stage.client().open(headless=True, keep_open=1) as browser:
        deadline = time.monotonic() + 15
        while browser.address in addresses(stage):
            assert time.monotonic() < deadline
            time.sleep(0.1)


def attach(stage: Stage) -> None:
    client, label = stage.client(), stage.label()
    client.open(headless=True, label=label)
    [found] = [each for each in client.list() if each.label == label]
    assert found.started_on.utcoffset() is not None
    client.browser(found.address).close()
    assert found.address not in addresses(stage)


def desktop(stage: Stage) -> None:
    with stage.client().open(headless=False) as browser:
        started = browser.start_desktop()
        assert len(started.password) == len(started.view_password) == 8
        assert started.url.startswith("http")
        assert started.rfb_url.startswith("ws")
        if stage.has_state:
            assert browser.start_desktop() == started
            assert started.password in [each.vncpass for each in stage.client().list()]
        browser.stop_desktop()
