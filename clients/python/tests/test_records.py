from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import pytest
from local_server import Answer, LocalServer, answer, refusal
from support import ADDRESS, TOKEN, FakeTime, client_of, service_of

from remote_browser import (
    BrowserRecord,
    InvalidAnswerError,
    NotFoundError,
    Screenshot,
    TimeoutError,
)
from remote_browser._reference import Reference
from remote_browser._wait import wait_closed

ID = "br_01kxm2a7c9rt4bn8swzh3df6g1"
RECORD: dict[str, Any] = {
    "id": ID,
    "state": "open",
    "startedOn": "2026-03-14T09:26:53.589Z",
    "endedOn": None,
    "reason": None,
    "units": 4,
    "bytesSent": 48211,
    "bytesReceived": None,
    "address": ADDRESS,
    "vncpass": "k7Rw2xQp",
    "label": "shop",
    "tags": ["nightly"],
    "browser": 2,
    "headless": False,
    "keepOpen": 2.5,
    "closesOn": None,
    "clients": 0,
    "desktop": True,
}


def waited(state: str, reason: str | None) -> Answer:
    return answer(200, {"state": state, "reason": reason})


def test_a_record_has_python_types_and_ignores_new_members() -> None:
    with LocalServer(answer(200, {**RECORD, "new": 1})) as server:
        record = client_of(server.url).browser_by_id(ID).info()
        assert server.requests[0].json == {"id": ID}
    assert record == BrowserRecord(
        id=ID,
        state="open",
        started_on=datetime(2026, 3, 14, 9, 26, 53, 589_000, timezone.utc),
        ended_on=None,
        reason=None,
        units=4,
        bytes_sent=48211,
        bytes_received=None,
        address=ADDRESS,
        vncpass="k7Rw2xQp",
        label="shop",
        tags=["nightly"],
        browser=2,
        headless=False,
        keep_open=2.5,
        closes_on=None,
        clients=0,
        desktop=True,
    )


def test_a_screenshot_has_the_pictures_bytes_and_type() -> None:
    taken = {"type": "image/png", "image": "iVBORw0KGgr/AA==", "new": 1}
    with LocalServer(answer(200, taken)) as server:
        shot = client_of(server.url).browser_by_id(ID).screenshot()
        assert server.requests[0].json == {"id": ID}
    assert shot == Screenshot(type="image/png", image=b"\x89PNG\r\n\x1a\n\xff\0")
    assert repr(shot) == "Screenshot(type='image/png')"


def test_a_screenshots_image_is_the_body() -> None:
    picture = answer(200, "PNG", {"Content-Type": "image/png"})
    other = answer(200, "PNG")
    with LocalServer(picture, answer(200, RECORD), picture, other) as server:
        client = client_of(server.url)
        assert client.browser_by_id("br_&").screenshot_image() == b"PNG"
        assert client.browser(ADDRESS).screenshot_image() == b"PNG"
        with pytest.raises(InvalidAnswerError, match="it is not image/png, image/jpeg"):
            client.browser_by_id(ID).screenshot_image()
        lines = [each.line for each in server.requests]
    path = "GET /api/v1/Browser/ScreenshotImage?id="
    assert lines[0] == f"{path}br_%26 HTTP/1.1"
    assert lines[2] == f"{path}{ID} HTTP/1.1"


@pytest.mark.parametrize("image", ["cat!", "cat", "Käse", "\n"])
def test_a_screenshot_that_is_not_base64_is_invalid(image: str) -> None:
    taken = answer(200, {"type": "image/png", "image": image})
    invalid = pytest.raises(InvalidAnswerError, match="not valid Base64")
    with LocalServer(taken) as server, invalid as caught:
        client_of(server.url).browser(ADDRESS).screenshot()
    assert image not in str(caught.value)
    assert caught.value.__context__ is None


def test_printed_records_hide_secrets() -> None:
    with LocalServer(answer(200, RECORD)) as server:
        printed = repr(client_of(server.url).browser(ADDRESS).info())
    assert ID in printed
    for secret in [TOKEN, ADDRESS, "k7Rw2xQp"]:
        assert secret not in printed


def test_an_opened_browser_has_an_id() -> None:
    opened = answer(200, {"status": 200, "address": ADDRESS, "id": ID})
    with LocalServer(opened, answer(200, RECORD), answer(200, {"status": 200})) as server:
        browser = client_of(server.url).open()
        assert browser.id == ID
        assert repr(browser) == f"RemoteBrowser(id='{ID}')"
        browser.info()
        browser.close()
        bodies = [each.json for each in server.requests]
    assert bodies == [{}, {"id": ID}, {"address": ADDRESS}]


def test_a_session_can_be_closed() -> None:
    sessions = answer(200, {"sessions": [RECORD]})
    with LocalServer(sessions, answer(200, {"status": 200})) as server:
        [session] = client_of(server.url).list()
        session.close()
        assert server.requests[1].json == {"address": ADDRESS}


def test_a_session_can_take_a_screenshot() -> None:
    sessions = answer(200, {"sessions": [RECORD]})
    taken = answer(200, {"type": "image/jpeg", "image": "/9j/"})
    with LocalServer(sessions, taken) as server:
        [session] = client_of(server.url).list()
        assert session.screenshot() == Screenshot(type="image/jpeg", image=b"\xff\xd8\xff")
        assert server.requests[1].json == {"id": ID}


def test_an_update_sends_only_new_values() -> None:
    with LocalServer(answer(200, RECORD)) as server:
        browser = client_of(server.url).browser_by_id(ID)
        browser.update(keep_open=600, tags=[])
        assert server.requests[0].json == {"id": ID, "keepOpen": 600, "tags": []}
        with pytest.raises(TypeError, match=r"update\(\) has no option keepOpen. Did you mean"):
            browser.update(keepOpen=1)  # type: ignore[call-arg]


def test_waiting_continues_until_the_browser_has_ended() -> None:
    time = FakeTime()
    answers = [waited("open", None), waited("later", None), waited("closed", "inactive")]
    with LocalServer(*answers) as server:
        service = service_of(server.url, time, timeout=4)
        assert wait_closed(service, Reference(None, ID), None) == "inactive"
        # Half of the timeout for an attempt.
        assert [each.json for each in server.requests] == [{"id": ID, "seconds": 2}] * 3
    # The service responded early, so the client paused.
    assert time.sleeps == [1, 1]


def test_waiting_ends_with_its_timeout() -> None:
    with LocalServer(*[waited("open", None)] * 4) as server:
        service = service_of(server.url, FakeTime())
        with pytest.raises(TimeoutError, match=r"still open after 2.5 s \(timeout\)"):
            wait_closed(service, Reference(ADDRESS, None), 2.5)
        seconds = [each.json["seconds"] for each in server.requests]
    assert seconds == [2.5, 1.5, 0.5, 0]


def test_the_history_is_requested_page_by_page_while_iterating() -> None:
    def part(records: list[object], cursor: str | None) -> Answer:
        return answer(200, {"browsers": records, "next": cursor, "keptSince": None})

    parts = [part([RECORD], "c1"), part([], "c2"), part([RECORD], None)]
    with LocalServer(*parts) as server:
        since = datetime(2026, 3, 9, tzinfo=timezone.utc)
        found = client_of(server.url).history(since=since, tag="nightly")
        assert len(server.requests) == 0
        assert next(found).id == ID
        assert len(server.requests) == 1
        assert len(list(found)) == 1
        bodies = [each.json for each in server.requests]
    assert [each.get("cursor") for each in bodies] == [None, "c1", "c2"]
    assert {each["tag"] for each in bodies} == {"nightly"}
    assert datetime.fromisoformat(bodies[0]["since"].replace("Z", "+00:00")) == since


def test_a_datetime_without_a_time_zone_is_refused() -> None:
    with pytest.raises(TypeError, match=r"since of history\(\) is wrong: .*timezone"):
        client_of("http://there").history(since=datetime(2026, 3, 9))


def test_close_all_sends_the_selection() -> None:
    with LocalServer(*[answer(200, {"closed": 3})] * 3) as server:
        client = client_of(server.url)
        counts = [
            client.close_all(label="a"),
            client.close_all(tag="b"),
            client.close_all(all=True),
        ]
        assert counts == [3, 3, 3]
        bodies = [each.json for each in server.requests]
    assert bodies == [{"label": "a"}, {"tag": "b"}, {"all": True}]


def test_the_type_checker_requires_exactly_one_selection() -> None:
    with LocalServer(*[refusal(404, "NotFound")] * 2) as server:
        client = client_of(server.url)
        with pytest.raises(NotFoundError):
            client.close_all()  # type: ignore[call-overload]
        with pytest.raises(NotFoundError):
            client.close_all(label="a", tag="b")  # type: ignore[call-overload]


def test_the_account_is_read() -> None:
    account = {
        "plan": "team",
        "parallel": 10,
        "open": 2,
        "period": "2026-03",
        "unitsUsed": 1280,
        "unitsLeft": None,
        "additionalUnits": False,
        "maxLifetime": 86400,
    }
    with LocalServer(answer(200, account)) as server:
        shown = client_of(server.url).account()
    assert (shown.plan, shown.units_used, shown.units_left) == ("team", 1280, None)
    assert shown.max_lifetime == 86400
