from __future__ import annotations

import sys
from datetime import datetime, timezone
from typing import Any

import pytest
from local_server import LocalServer, answer, refusal
from support import ADDRESS, OPENED, TOKEN, client_of

from remote_browser import BrowserNotFoundError, Session, UnknownError

CLOSED = {"status": 200}
DESKTOP = {
    "status": 200,
    "password": "k7Rw2xQp",
    "viewPassword": "m3Tz9bVc",
    "url": "http://127.0.0.1:8080/desktop/abc#k7Rw2xQp",
    "rfbUrl": "ws://127.0.0.1:8080/desktop/abc/rfb",
}
UNKNOWN = answer(500, {"status": 0, "name": "Unknown", "message": "Oh.", "requestId": "r"})


def test_a_browser_closes_at_the_end_of_its_with_block() -> None:
    with LocalServer(answer(200, OPENED), answer(200, CLOSED)) as server:
        with client_of(server.url) as client, client.open() as browser:
            assert browser.address == ADDRESS
        assert server.requests[1].json == {"address": ADDRESS}


def test_an_address_that_is_not_a_string_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError, match="not NoneType"):
        client_of("http://there").browser(nothing)


def test_closing_a_browser_that_has_ended_succeeds() -> None:
    with LocalServer(refusal(404, "BrowserNotFound"), refusal(404, "BrowserNotFound")) as server:
        browser = client_of(server.url).browser(ADDRESS)
        browser.close()
        with pytest.raises(BrowserNotFoundError):
            browser.start_desktop()


def test_a_closed_browser_is_not_closed_again() -> None:
    ends = [(CLOSED, 200), ({"name": "BrowserNotFound"}, 404)]
    for body, status in ends:
        with LocalServer(answer(status, body)) as server:
            with client_of(server.url).browser(ADDRESS) as browser:
                browser.close()
            browser.close()
            assert len(server.requests) == 1


def test_a_failed_close_can_be_retried() -> None:
    with LocalServer(UNKNOWN, answer(200, CLOSED)) as server:
        browser = client_of(server.url).browser(ADDRESS)
        with pytest.raises(UnknownError):
            browser.close()
        browser.close()
        assert len(server.requests) == 2


@pytest.mark.parametrize("address", ["", " \n"])
def test_an_empty_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        client_of("http://127.0.0.1:1").browser(address)


def test_the_original_error_is_raised_when_closing_fails_too() -> None:
    with LocalServer(UNKNOWN) as server:
        with pytest.raises(LookupError) as caught, client_of(server.url).browser(ADDRESS):
            raise LookupError
        if sys.version_info >= (3, 11):
            assert "could not be closed" in caught.value.__notes__[0]


def test_an_error_from_closing_is_raised() -> None:
    with (
        LocalServer(UNKNOWN) as server,
        pytest.raises(UnknownError),
        client_of(server.url).browser(ADDRESS),
    ):
        pass


def test_sessions_have_python_types() -> None:
    session = {"startedOn": "2026-03-14T09:26:53.589Z", "label": None, "vncpass": None}
    with LocalServer(answer(200, {"sessions": [{**session, "address": ADDRESS}]})) as server:
        started_on = datetime(2026, 3, 14, 9, 26, 53, 589_000, timezone.utc)
        [listed] = client_of(server.url).list()
    assert isinstance(listed, Session)
    assert (listed.started_on, listed.label, listed.address) == (started_on, None, ADDRESS)
    assert (listed.id, listed.tags, listed.keep_open, listed.clients) == (None, None, None, None)


def test_printed_values_hide_secrets() -> None:
    session = {"startedOn": "2026-03-14T09:26:53.589Z", "label": None, "vncpass": "k7Rw2xQp"}
    sessions = {"sessions": [{**session, "address": ADDRESS}]}
    with LocalServer(answer(200, DESKTOP), answer(200, sessions)) as server:
        client = client_of(server.url)
        browser = client.browser(ADDRESS)
        desktop = browser.start_desktop()
        printed = repr([client, browser, desktop, client.list()])
    assert desktop.view_password == "m3Tz9bVc"
    for secret in [TOKEN, ADDRESS, "k7Rw2xQp", "m3Tz9bVc", "/desktop/"]:
        assert secret not in printed
