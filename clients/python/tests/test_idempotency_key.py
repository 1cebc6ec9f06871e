"""Open is sent again with its key, once the service has shown contract version 1.1."""

from __future__ import annotations

import uuid

import pytest
from local_server import Answer, LocalServer, Request, answer, cut, refusal, silence
from support import ACCOUNT, ADDRESS, OPENED, OPENED_WITH_ID, FakeTime, client_of, service_of

from remote_browser import (
    ApiError,
    ConnectionError,
    IdempotencyKeyReusedError,
    TimeoutError,
)
from remote_browser._generated import core
from remote_browser._service import Service

GATEWAY = answer(504, "<h1>Too late</h1>")
VERSION_1_0 = refusal(404, "NotFound")
FAULTS = [(cut, ConnectionError), (silence, TimeoutError), (GATEWAY, ApiError)]
OPEN, ACCOUNT_GET = "POST /api/v1/Browser/Open HTTP/1.1", "GET /api/v1/Account/Get HTTP/1.1"


def open_(service: Service, key: str = "key-1") -> str:
    return service.open(core.OpenOptions(), key).address


def lines(server: LocalServer) -> list[str]:
    return [each.line for each in server.requests]


def key_of(request: Request) -> str | None:
    return request.headers.get("idempotency-key")


def test_each_open_request_has_its_own_key() -> None:
    with LocalServer(answer(200, OPENED), answer(200, OPENED), answer(200, ACCOUNT)) as server:
        client = client_of(server.url)
        client.open()
        client.open()
        client.account()
        first, second, other = map(key_of, server.requests)
    assert str(uuid.UUID(first)) == first
    assert str(uuid.UUID(second)) == second
    assert first != second
    assert other is None


@pytest.mark.parametrize("fault", [fault for fault, _ in FAULTS])
def test_an_open_request_is_sent_again_with_the_same_key(fault: Answer) -> None:
    with LocalServer(fault, answer(200, ACCOUNT), answer(200, OPENED_WITH_ID)) as server:
        assert open_(service_of(server.url, timeout=0.3)) == ADDRESS
        assert lines(server) == [OPEN, ACCOUNT_GET, OPEN]
        assert [key_of(each) for each in server.requests] == ["key-1", None, "key-1"]


@pytest.mark.parametrize(("fault", "kind"), FAULTS)
@pytest.mark.parametrize(
    "proof",
    [VERSION_1_0, refusal(401, "AuthorizationError"), answer(200, "<html>"), answer(200, {}), cut],
)
def test_without_proof_of_version_1_1_an_open_is_not_retried(
    fault: Answer, kind: type[Exception], proof: Answer
) -> None:
    with LocalServer(fault, *[proof] * 3) as server:
        with pytest.raises(kind) as caught:
            open_(service_of(server.url, timeout=0.3))
        assert type(caught.value) is kind
        assert lines(server).count(OPEN) == 1


def test_the_client_remembers_that_a_service_has_version_1_1() -> None:
    opened = answer(200, OPENED)
    with LocalServer(cut, answer(200, ACCOUNT), opened, cut, opened) as server:
        service = service_of(server.url)
        open_(service)
        open_(service)
        assert lines(server) == [OPEN, ACCOUNT_GET, OPEN, OPEN, OPEN]


def test_a_browsers_id_proves_version_1_1_without_another_request() -> None:
    opened = answer(200, OPENED_WITH_ID)
    with LocalServer(opened, cut, opened) as server:
        service = service_of(server.url)
        open_(service)
        open_(service)
        assert lines(server) == [OPEN] * 3


def test_the_total_timeout_includes_the_version_check() -> None:
    time = FakeTime()
    hasty = refusal(429, "TooManyRequests", {"Retry-After": "6"})
    with LocalServer(cut, hasty) as server:
        with pytest.raises(ConnectionError):
            open_(service_of(server.url, time, total_timeout=5))
        assert lines(server) == [OPEN, ACCOUNT_GET]


def test_a_key_in_use_is_retried_and_a_reused_one_is_not() -> None:
    in_use = refusal(409, "IdempotencyKeyInUse", {"Retry-After": "0"})
    reused = refusal(422, "IdempotencyKeyReused", {"Retry-After": "0"})
    with LocalServer(in_use, reused, reused) as server:
        with pytest.raises(IdempotencyKeyReusedError):
            client_of(server.url).open(idempotency_key="mine")
        assert [key_of(each) for each in server.requests] == ["mine"] * 2


def test_the_service_checks_the_length_of_a_key() -> None:
    with LocalServer(answer(200, OPENED)) as server:
        client_of(server.url).open(idempotency_key="k" * 300)
        assert key_of(server.requests[0]) == "k" * 300


@pytest.mark.parametrize("key", ["a\nb", "a b", "ключ"])
def test_a_key_that_a_header_cannot_have_is_refused_before_any_request(key: str) -> None:
    with LocalServer() as server:
        with pytest.raises(ValueError, match="visible ASCII"):
            client_of(server.url).open(idempotency_key=key)
        with pytest.raises(TypeError, match="must be a string, not int"):
            client_of(server.url).open(idempotency_key=7)  # type: ignore[arg-type]
        assert server.requests == []
