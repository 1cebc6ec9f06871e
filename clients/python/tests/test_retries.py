from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from local_server import Answer, LocalServer, answer, cut, refusal, silence
from support import ADDRESS, NONE_OPEN, OPENED, FakeTime, service_of, settings_of

from remote_browser import (
    ApiError,
    BrowserUnavailableError,
    ConnectionError,
    NoUnitsError,
    ProviderUnavailableError,
    TimeoutError,
    TooManyRequestsError,
)
from remote_browser._calls import Calls, World
from remote_browser._generated import core
from remote_browser._reference import Reference
from remote_browser._service import Service

Call = Callable[[Service], Any]

CLOSED = {"status": 200}


def open_(service: Service) -> Any:
    return service.open(core.OpenOptions(), "key-1")


def ask(service: Service) -> Any:
    return service.query(core.QueryRequest(html="a", prompt="b"))


def list_(service: Service) -> Any:
    return service.list()


def close(service: Service) -> Any:
    return service.close(Reference(ADDRESS, None))


def stop(service: Service) -> Any:
    return service.stop_desktop(Reference(ADDRESS, None))


BUSY = refusal(503, "BrowserUnavailable", {"Retry-After": "7"})
HASTY = refusal(429, "TooManyRequests", {"Retry-After": "3"})
GATEWAY = answer(502, "<h1>Bad gateway</h1>", {"Retry-After": "5"})
PORT_OF_NOBODY = "http://127.0.0.1:1"


def test_an_error_with_retry_after_is_retried_after_that_time() -> None:
    time = FakeTime()
    with LocalServer(BUSY, HASTY, answer(200, OPENED)) as server:
        assert open_(service_of(server.url, time)).address == ADDRESS
    assert time.sleeps == [7, 3]


@pytest.mark.parametrize(
    ("refused", "call", "kind"),
    [
        (refusal(503, "BrowserUnavailable"), open_, BrowserUnavailableError),
        (refusal(503, "ProviderUnavailable"), ask, ProviderUnavailableError),
        (refusal(429, "TooManyRequests"), list_, TooManyRequestsError),
        (refusal(403, "NoUnits", {"Retry-After": "1"}), open_, NoUnitsError),
        (refusal(409, "SomethingNew", {"Retry-After": "1"}), list_, ApiError),
        (GATEWAY, ask, ApiError),
        (answer(500, "Oh"), list_, ApiError),
    ],
)
def test_other_errors_are_not_retried(refused: Answer, call: Call, kind: type[ApiError]) -> None:
    time = FakeTime()
    with LocalServer(refused, refused) as server:
        with pytest.raises(ApiError) as caught:
            call(service_of(server.url, time))
        assert type(caught.value) is kind
        assert len(server.requests) == 1
    assert time.sleeps == []


def test_a_call_is_retried_as_often_as_the_setting_says() -> None:
    with LocalServer(BUSY, BUSY, BUSY, BUSY) as server:
        with pytest.raises(BrowserUnavailableError) as caught:
            open_(service_of(server.url, retries=2))
        assert len(server.requests) == 3
    assert caught.value.retry_after == 7


def test_the_wait_can_be_computed_for_any_number_of_retries() -> None:
    assert Calls(settings_of(PORT_OF_NOBODY), World())._backoff(5000) > 0


def test_each_request_uses_a_new_connection() -> None:
    # A reused connection may close just as an Open request is sent on it.
    with LocalServer(*[answer(200, OPENED)] * 3) as server:
        service = service_of(server.url)
        for _ in range(3):
            open_(service)
        assert server.connections == 3
        assert [each.headers["connection"] for each in server.requests] == ["close"] * 3


def test_a_call_fails_immediately_if_the_wait_exceeds_the_total_timeout() -> None:
    time = FakeTime()
    with LocalServer(BUSY, BUSY) as server:
        with pytest.raises(BrowserUnavailableError):
            open_(service_of(server.url, time, total_timeout=6))
        assert len(server.requests) == 1
    assert time.sleeps == []


@pytest.mark.parametrize("call", [open_, ask, list_, close, stop])
def test_every_call_is_retried_if_nothing_was_sent(call: Call) -> None:
    time = FakeTime()
    with pytest.raises(ConnectionError, match=r"Connecting to 127\.0\.0\.1:1 failed"):
        call(service_of(PORT_OF_NOBODY, time))
    assert time.sleeps == [0.125, 0.25]


def test_waits_have_jitter() -> None:
    time = FakeTime()
    service = Service(service_settings(), time.world(random=1.0))
    with pytest.raises(ConnectionError):
        list_(service)
    assert time.sleeps == [0.25, 0.5]


def service_settings() -> Any:
    from support import settings_of

    return settings_of(PORT_OF_NOBODY)


def test_a_query_is_not_retried_after_a_lost_connection() -> None:
    with LocalServer(cut, cut) as server:
        with pytest.raises(ConnectionError, match="was lost before the response"):
            ask(service_of(server.url))
        assert len(server.requests) == 1


@pytest.mark.parametrize(("call", "body"), [(list_, NONE_OPEN), (close, CLOSED), (stop, CLOSED)])
@pytest.mark.parametrize("fault", [cut, silence, GATEWAY])
def test_idempotent_calls_are_retried(call: Call, body: Any, fault: Answer) -> None:
    with LocalServer(fault, answer(200, body)) as server:
        time = FakeTime()
        call(service_of(server.url, time, timeout=0.3))
        assert len(server.requests) == 2
        # A gateway's Retry-After is ignored.
        assert time.sleeps == [0.125]


def test_only_the_total_timeout_applies_to_a_query() -> None:
    with LocalServer(silence) as server:
        with pytest.raises(TimeoutError, match=r"within 0\.2 s \(total_timeout\)"):
            ask(service_of(server.url, timeout=0.1, total_timeout=0.2))
        assert len(server.requests) == 1
