from __future__ import annotations

import traceback
from collections.abc import Callable

import pytest
from scenarios.stage import Stage

from remote_browser import ApiError, ConnectionError, RemoteBrowserError, UnknownError


def secrets(stage: Stage) -> None:
    client = stage.client()
    with client.open(headless=False) as browser:
        desktop = browser.start_desktop()
        printed = [show(each) for each in (client, browser, desktop, *client.list())]
        nowhere = stage.client(url="http://127.0.0.1:1", retries=0)
        page = stage.client(stage.fault("echo-page"), retries=0)
        error = stage.client(stage.fault("echo-error"))
        cut = stage.client(stage.fault("cut-after"), retries=0)
        printed += [
            printed_error(ApiError, page.list),
            printed_error(ApiError, page.browser(browser.address).start_desktop),
            printed_error(UnknownError, error.browser(browser.address).start_desktop),
            printed_error(ConnectionError, nowhere.browser(browser.address).start_desktop),
            printed_error(ConnectionError, cut.browser(browser.address).start_desktop),
        ]
    ids = [id_in(browser.address, "/devtools/browser/")]
    ids += [id_in(each, "/desktop/") for each in [desktop.url, desktop.rfb_url]]
    for secret in [stage.token, *ids, desktop.password, desktop.view_password]:
        assert not any(secret in each for each in printed)


def show(value: object) -> str:
    return f"{value!r} {value}"


def printed_error(kind: type[RemoteBrowserError], work: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        work()
    assert type(caught.value) is kind
    return show(caught.value) + "".join(traceback.format_exception(caught.value))


def id_in(address: str, before: str) -> str:
    found = address.partition(before)[2].partition("/")[0].partition("#")[0]
    assert found
    return found
