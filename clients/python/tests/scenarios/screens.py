from __future__ import annotations

from typing import Any

import pytest
from scenarios.stage import Stage

from remote_browser import BadRequestError, BrowserLimitError, BrowserNotFoundError, Screenshot


def screen(stage: Stage) -> None:
    client = stage.client()
    valid: dict[str, Any] = {
        "headless": True,
        "wait_for_place": 5,
        "screen": {"width": 800, "height": 600, "scale": 1.5},
        "language": "de-DE",
        "time_zone": "Europe/Berlin",
    }
    refused: list[tuple[dict[str, Any], str]] = [
        ({"wait_for_place": 46}, "/WaitForPlace"),
        ({"screen": {"width": 199, "height": 600}}, "/Screen/Width"),
        ({"screen": {"width": 800, "height": 600, "scale": 4}}, "/Screen/Scale"),
        ({"language": ""}, "/Language"),
        ({"time_zone": ""}, "/TimeZone"),
    ]
    with client.open(**valid) as browser:
        assert browser.address.startswith("ws")
    for options, path in refused:
        with pytest.raises(BadRequestError) as caught:
            client.open(**{**valid, **options})
        if stage.has_state:
            assert [each.path for each in caught.value.errors] == [path]


def wait_for_place(stage: Stage) -> None:
    client = stage.client(token=stage.tokens["limited"], retries=0)
    first = client.open(headless=True, keep_open=2)
    with pytest.raises(BrowserLimitError):
        client.open(headless=True, wait_for_place=0.1)
    with client.open(headless=True, wait_for_place=30) as second:
        assert second.address != first.address
        assert [each.address for each in client.list()] == [second.address]


def screenshot(stage: Stage) -> None:
    client = stage.client()
    for headless in [True, False]:
        with client.open(headless=headless) as browser:
            assert_picture(browser.screenshot())
            assert browser.screenshot_image().startswith(tuple(SIGNATURES.values()))
            if not stage.has_state:
                continue
            [session] = [each for each in client.list() if each.address == browser.address]
            assert_picture(session.screenshot())
        with pytest.raises(BrowserNotFoundError):
            browser.screenshot()


SIGNATURES = {"image/png": b"\x89PNG", "image/jpeg": b"\xff\xd8\xff"}


def assert_picture(shot: Screenshot) -> None:
    assert shot.image.startswith(SIGNATURES[shot.type])
