from __future__ import annotations

import builtins
import copy
import json
import pickle
import socket
import threading
import traceback
from typing import Any

import pytest
from local_server import Answer, LocalServer, answer, cut, refusal, send
from support import ADDRESS, NONE_OPEN, TOKEN, client_of

import remote_browser
from remote_browser import (
    ApiError,
    BadRequestError,
    BrowserNotFoundError,
    ConnectionError,
    InvalidAnswerError,
    NoUnitsError,
    RemoteBrowserError,
    TooManyRequestsError,
)


def raised(refused: Answer) -> Any:
    with LocalServer(refused) as server, pytest.raises(RemoteBrowserError) as caught:
        client_of(server.url, retries=0).list()
    return caught.value


def test_an_error_has_all_members_of_the_response() -> None:
    error = raised(refusal(403, "NoUnits", {"Retry-After": "60"}))
    assert type(error) is NoUnitsError
    assert (error.status, error.name, error.message) == (403, "NoUnits", "NoUnits, as requested.")
    assert (error.request_id, error.retry_after) == ("r-1", 60)
    assert str(error) == "NoUnits (403): NoUnits, as requested. [request r-1]"


def test_a_bad_request_lists_its_problems() -> None:
    problem = {"path": "/KeepOpen", "message": "must be a number"}
    body = {"status": 400, "name": "BadRequest", "message": "No.", "requestId": "r"}
    error = raised(answer(400, {**body, "errors": [problem]}))
    assert type(error) is BadRequestError
    assert [(each.path, each.message) for each in error.errors] == [
        ("/KeepOpen", "must be a number")
    ]
    misfits: list[dict[str, object]] = [{}, {"errors": 5}, {"errors": [{"path": "/a"}]}]
    for errors in misfits:
        thin = raised(answer(400, {**body, **errors}))
        assert type(thin) is BadRequestError
        assert thin.errors == []


@pytest.mark.parametrize("others", [{}, {"message": 5, "requestId": None}, {"requestId": ""}])
def test_an_error_with_only_a_name_has_its_class(others: dict[str, Any]) -> None:
    error = raised(answer(404, {"name": "BrowserNotFound", **others}, {"X-Request-Id": "r-2"}))
    assert type(error) is BrowserNotFoundError
    assert (error.status, error.message, error.request_id) == (404, "", "r-2")
    assert str(error) == "BrowserNotFound (404) [request r-2]"
    assert raised(answer(404, {"name": "BrowserNotFound", **others})).request_id == ""


@pytest.mark.parametrize(
    "body", [{"name": ""}, {"name": 5}, {}, [{"name": "NoUnits"}], "NoUnits", "[" * 200_000]
)
def test_a_response_without_a_name_is_not_from_the_service(body: object) -> None:
    error = raised(answer(403, body, {"Content-Type": "application/json"}))
    assert type(error) is ApiError
    assert (error.name, error.status) == ("", 403)


def test_a_lone_surrogate_is_printable() -> None:
    error = raised(answer(403, r'{"name": "NoUnits", "message": "\ud800"}'))
    assert type(error) is NoUnitsError
    assert str(error).encode()


@pytest.mark.parametrize(
    ("location", "origin"),
    [
        ("https://user:secret@there.example:8443/eu?a=b", "https://there.example:8443"),
        ("//there.example/eu", "http://there.example"),
        ("http://[", "an invalid URL"),
    ],
)
def test_the_error_for_a_redirect_shows_its_target(location: str, origin: str) -> None:
    error = raised(answer(307, "Elsewhere", {"Location": location}))
    assert type(error) is ApiError
    assert (error.name, error.status) == ("", 307)
    assert error.message == (
        f"The response redirects to {origin}, and redirects are not followed: "
        "set url to the service's own URL."
    )


def test_the_error_for_a_relative_redirect_shows_the_server() -> None:
    with LocalServer(answer(308, "", {"Location": "/eu/"})) as server:
        with pytest.raises(ApiError) as caught:
            client_of(server.url).list()
        assert f"redirects to {server.url}," in caught.value.message


@pytest.mark.parametrize(
    "text", ["Fri, 31 Dec 2027 23:59:59 GMT", "1.5", "-1", "soon", "٣", "1, 2"]
)
def test_an_invalid_retry_after_is_ignored(text: str) -> None:
    error = raised(refusal(429, "TooManyRequests", {"Retry-After": text}))
    assert type(error) is TooManyRequestsError
    assert error.retry_after is None


def test_the_status_of_an_unknown_error_comes_from_http() -> None:
    body = {"status": 0, "name": "Unknown", "message": "Oh.", "requestId": "r"}
    error = raised(answer(500, body))
    assert type(error) is remote_browser.UnknownError
    assert error.status == 500


def test_an_unknown_error_name_stays_readable() -> None:
    error = raised(refusal(409, "SomethingNew"))
    assert type(error) is ApiError
    assert error.name == "SomethingNew"


def test_a_gateways_page_is_truncated() -> None:
    error = raised(answer(502, f"<h1>Bad\n gateway</h1>{'x' * 500}", {"X-Request-Id": "r-9"}))
    assert type(error) is ApiError
    assert (error.name, error.status, error.request_id) == ("", 502, "r-9")
    assert "<h1>Bad gateway</h1>xxx" in error.message
    assert "\x1b" not in raised(answer(502, "\x1b[31m")).message
    assert len(error.message) < 300


@pytest.mark.parametrize(
    "wrong",
    [
        answer(200, "<h1>Welcome</h1>"),
        answer(200, "{}", {"Content-Type": "application/json"}),
        answer(200, "null", {"Content-Type": "application/json"}),
        answer(200, "[1", {"Content-Type": "application/json"}),
        answer(200, "[]", {"Content-Type": "application/json"}),
        answer(200, {"sessions": 5}),
        answer(200, {"sessions": [5]}),
        answer(200, NONE_OPEN, {"Content-Type": "image/png"}),
        answer(200, NONE_OPEN, {"Content-Type": "application/json; charset=nonsense"}),
    ],
)
def test_a_success_of_the_wrong_shape_is_an_invalid_answer(wrong: Answer) -> None:
    assert type(raised(wrong)) is InvalidAnswerError


def test_an_invalid_answer_error_does_not_show_the_response() -> None:
    session = {"startedOn": "now", "label": 5, "address": f"x{ADDRESS}", "vncpass": "k7Rw2xQp!"}
    error = raised(answer(200, {"sessions": [session]}))
    assert type(error) is InvalidAnswerError
    assert "label" in str(error)
    for secret in [ADDRESS, "k7Rw2xQp"]:
        assert secret not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None


def test_an_error_cannot_be_changed() -> None:
    error = raised(refusal(403, "NoUnits"))
    with pytest.raises(AttributeError):
        error.status = 200


def test_an_error_survives_being_copied_and_sent_to_another_process() -> None:
    error = raised(refusal(403, "NoUnits", {"Retry-After": "60"}))
    for twin in [copy.copy(error), pickle.loads(pickle.dumps(error))]:
        assert type(twin) is NoUnitsError
        assert (str(twin), twin.retry_after) == (str(error), 60)


def test_a_lost_connection_is_also_the_builtin_connection_error() -> None:
    with pytest.raises(builtins.ConnectionError):
        client_of("http://127.0.0.1:1", retries=0).list()


def test_the_error_for_a_lost_connection_says_why() -> None:
    with LocalServer(cut) as server:
        with pytest.raises(ConnectionError) as caught:
            client_of(server.url, retries=0).list()
        assert str(caught.value) == (
            f"The connection to {server.place} was lost before the response was complete: "
            "Remote end closed connection without response."
        )


@pytest.mark.parametrize(
    "response",
    [
        answer(502, f"<p>Bearer {TOKEN} at {ADDRESS}", {"X-Request-Id": TOKEN}),
        answer(502, "<p>" + json.dumps({"address": ADDRESS}).replace("/", r"\/")),
        answer(502, f"/desktop/{ADDRESS.rpartition('/')[2]}#k7Rw2xQp"),
        answer(302, "", {"Location": f"http://{TOKEN}/"}),
        refusal(409, TOKEN),
        answer(500, '{"name": "Unknown", "message": "' + TOKEN.replace("r", "\\u0072") + '"}'),
        send(f"HTTP/1.1 {TOKEN} {ADDRESS}\r\n\r\n".encode()),
        send(f"Bearer {TOKEN} {ADDRESS}\r\n\r\n".encode()),
        send(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{TOKEN}\r\n".encode()),
        answer(
            400,
            {
                "status": 400,
                "name": "BadRequest",
                "message": f"{TOKEN} {ADDRESS}",
                "requestId": TOKEN,
                "errors": [{"path": f"/{TOKEN}", "message": f"No {ADDRESS}."}],
            },
        ),
    ],
)
def test_text_from_other_servers_is_shown_without_secrets(response: Answer) -> None:
    error = raised(response)
    shown = f"{error!r} {error} {vars(error)} {getattr(error, 'errors', '')}"
    shown += "".join(traceback.format_exception(error))
    assert "…" in str(error)
    assert TOKEN not in shown
    assert ADDRESS.rpartition("/")[2] not in shown


def test_deeply_nested_json_is_an_invalid_answer() -> None:
    deep = "[" * 200_000 + "]" * 200_000
    error = raised(answer(200, deep, {"Content-Type": "application/json"}))
    assert type(error) is InvalidAnswerError


def test_reading_an_endless_response_stops_at_64_mib() -> None:
    def flood(connection: socket.socket, ended: threading.Event) -> None:
        try:
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b" " * 2**20)
        except OSError:
            ended.set()

    with LocalServer(flood) as server:
        with pytest.raises(InvalidAnswerError, match="64 MiB"):
            client_of(server.url, retries=0).list()
        assert server.client_left.wait(5)


def test_no_error_shows_the_token() -> None:
    with pytest.raises(ConnectionError) as caught:
        client_of("http://127.0.0.1:1", retries=0).list()
    assert TOKEN not in repr(caught.value)


def test_the_package_exports_every_error_of_the_contract() -> None:
    from remote_browser._generated.errors import ERRORS

    for kind in ERRORS.values():
        assert getattr(remote_browser, kind.__name__) is kind
        assert kind.__module__ == "remote_browser"
        assert kind.__doc__
