from __future__ import annotations

import builtins
import signal
import socket
import threading
import time
from typing import Any

import pytest
from local_server import Answer, LocalServer, silence, trickle
from support import client_of

from remote_browser import TimeoutError

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(silence, id="silence"),
        pytest.param(trickle(HEAD + b"Content-Length: 99999\r\n\r\n{"), id="body"),
        pytest.param(trickle(HEAD + b"\r\n{"), id="body without a length"),
        pytest.param(trickle(HEAD + b"X-Long:"), id="head"),
    ],
)
def test_an_attempt_times_out_even_if_bytes_keep_arriving(fault: Answer) -> None:
    with LocalServer(fault) as server:
        started = time.monotonic()
        with pytest.raises(TimeoutError, match=server.place):
            client_of(server.url, timeout=0.3, retries=0).list()
        assert time.monotonic() - started < 2
        # The connection closes as well.
        assert server.client_left.wait(5)


def test_wait_for_place_extends_the_timeout_of_an_attempt() -> None:
    with LocalServer(silence) as server:
        started = time.monotonic()
        with pytest.raises(TimeoutError, match=r"within 0.7 s \(timeout and wait_for_place\)"):
            client_of(server.url, timeout=0.1, retries=0).open(wait_for_place=0.6)
        assert 0.7 <= time.monotonic() - started < 3
    limited = pytest.raises(TimeoutError, match=r"within 0.2 s \(total_timeout\)")
    with LocalServer(silence) as server, limited:
        client_of(server.url, timeout=0.1, total_timeout=0.2).open(wait_for_place=9)


def test_nothing_is_sent_after_name_resolution_times_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resolve = socket.getaddrinfo
    is_resolved = threading.Event()
    has_returned = threading.Event()

    def slow(*arguments: Any, **others: Any) -> Any:
        is_resolved.wait(10)
        try:
            return resolve(*arguments, **others)
        finally:
            has_returned.set()

    with LocalServer(silence) as server:
        monkeypatch.setattr(socket, "getaddrinfo", slow)
        with pytest.raises(TimeoutError, match="No complete response"):
            client_of(server.url, timeout=0.2, retries=0).open()
        is_resolved.set()
        assert has_returned.wait(5)
        for thread in threading.enumerate():
            if thread.name == "remote-browser":
                thread.join(5)
        assert server.requests == []


def test_ctrl_c_closes_the_connection() -> None:
    def interrupt(connection: socket.socket, ended: threading.Event) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        silence(connection, ended)

    with LocalServer(interrupt) as server:
        with pytest.raises(KeyboardInterrupt):
            client_of(server.url).open()
        assert server.client_left.wait(5)


def test_a_timeout_is_also_the_builtin_timeout_error() -> None:
    with LocalServer(silence) as server, pytest.raises(builtins.TimeoutError):
        client_of(server.url, timeout=0.1, retries=0).list()
