from __future__ import annotations

import dataclasses
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from support import FakeTime, settings_of

from remote_browser import ConnectionError, TimeoutError
from remote_browser._generated import core
from remote_browser._service import Service


@pytest.fixture
def slow_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Delays name resolution until the test is over."""
    is_over = threading.Event()

    def wait(*_: Any, **__: Any) -> Any:
        is_over.wait(10)
        raise OSError("The test is over.")

    monkeypatch.setattr(socket, "getaddrinfo", wait)
    yield
    is_over.set()
    for thread in threading.enumerate():
        if thread.name == "remote-browser":
            thread.join(5)


def open_within(connect_seconds: float, timeout: float, time: FakeTime) -> None:
    world = dataclasses.replace(time.world(), connect_seconds=connect_seconds)
    Service(settings_of("http://there", timeout=timeout), world).open(core.OpenOptions(), "key-1")


@pytest.mark.usefixtures("slow_names")
def test_a_connect_timeout_is_retried() -> None:
    time = FakeTime()
    with pytest.raises(ConnectionError, match=r"Connecting to there:80 timed out after 0\.1 s"):
        open_within(0.1, 90, time)
    assert len(time.sleeps) == 2


@pytest.mark.usefixtures("slow_names")
def test_an_attempt_that_times_out_while_connecting_counts_as_sent() -> None:
    time = FakeTime()
    with pytest.raises(TimeoutError, match=r"within 0\.1 s \(timeout\)"):
        open_within(10, 0.1, time)
    # Before asking for the version, and between the attempts to ask.
    assert time.sleeps == [0.125, 0.125, 0.25]


def test_a_tls_failure_is_not_retried() -> None:
    time = FakeTime()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer_in_plain_text() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        server = threading.Thread(target=answer_in_plain_text)
        server.start()
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ConnectionError, match=r"Connecting to .* failed: .*SSL") as caught:
            Service(settings_of(url), time.world()).list()
        server.join(5)
    assert caught.value.__context__ is None
    assert time.sleeps == []
