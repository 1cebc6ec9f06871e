"""A server whose responses a test controls byte by byte."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from typing_extensions import Self


@dataclass(frozen=True)
class Request:
    line: str
    headers: Mapping[str, str]
    body: bytes
    # All of them, including repeated ones.
    names: Sequence[str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Answer = Callable[[socket.socket, threading.Event], None]


def answer(status: int, body: object, headers: Mapping[str, str] | None = None) -> Answer:
    """A response with JSON or text."""
    data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    kind = "text/html" if isinstance(body, str) else "application/json"
    wanted = {"Content-Type": kind, "Content-Length": str(len(data)), **(headers or {})}
    head = "".join(f"{name}: {value}\r\n" for name, value in wanted.items())
    return send(f"HTTP/1.1 {status} Any\r\n{head}\r\n".encode() + data)


def refusal(status: int, name: str, headers: Mapping[str, str] | None = None) -> Answer:
    body = {"status": status, "name": name, "message": f"{name}, as requested.", "requestId": "r-1"}
    return answer(status, body, headers)


def send(data: bytes) -> Answer:
    return lambda connection, _: connection.sendall(data)


def silence(connection: socket.socket, ended: threading.Event) -> None:
    """Sends nothing until the client disconnects."""
    while connection.recv(1024):
        pass
    ended.set()


def cut(connection: socket.socket, ended: threading.Event) -> None:
    """Closes the connection without a response."""
    connection.shutdown(socket.SHUT_RDWR)
    ended.set()


def trickle(start: bytes) -> Answer:
    """Sends a byte every few milliseconds, so each read is quick but the response never ends."""

    def dribble(connection: socket.socket, ended: threading.Event) -> None:
        connection.settimeout(0.02)
        connection.sendall(start)
        while True:
            try:
                if not connection.recv(1024):
                    break
            except TimeoutError:
                try:
                    connection.sendall(b" ")
                except OSError:
                    break
        ended.set()

    return dribble


class LocalServer:
    """Sends one scripted response after the other, across connections."""

    def __init__(self, *answers: Answer) -> None:
        self.requests: list[Request] = []
        self.client_left = threading.Event()
        self._answers = iter(answers)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._connections: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def url(self) -> str:
        return f"http://{self.place}"

    @property
    def connections(self) -> int:
        return len(self._connections)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections.append(connection)
            thread = threading.Thread(target=self._serve, args=[connection])
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection, connection.makefile("rb") as reader:
                while line := reader.readline():
                    headers = {}
                    names = []
                    while (text := reader.readline().decode().strip()) != "":
                        name, _, value = text.partition(":")
                        headers[name.lower()] = value.strip()
                        names.append(name.lower())
                    body = reader.read(int(headers.get("content-length", 0)))
                    self.requests.append(Request(line.decode().strip(), headers, body, names))
                    next(self._answers)(connection, self.client_left)
        except OSError:
            # The client has disconnected, or the test is over.
            return

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for each in [self._listener, *self._connections]:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join(5)
