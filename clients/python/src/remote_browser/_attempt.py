from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")

_of_this_thread = threading.local()


class Attempt:
    """One try to get an answer, which its caller may give up at any moment."""

    def __init__(self, seconds: float, connect_seconds: float) -> None:
        self.seconds = seconds
        self.connect_seconds = connect_seconds
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_given_up = False

    @property
    def was_sent(self) -> bool:
        """Whether anything of the request may have left."""
        with self._lock:
            return self._socket is not None

    def send_over(self, connection: socket.socket) -> None:
        """Told before anything of the request goes over a connection.

        Raises:
            GivenUpError: Nobody waits for the answer any more, so nothing may be sent.
        """
        with self._lock:
            if self._is_given_up:
                raise GivenUpError
            self._socket = connection

    def give_up_unless_sent(self) -> bool:
        """Gives up if nothing of the request has left yet; says whether it did."""
        with self._lock:
            self._is_given_up = self._socket is None
            return self._is_given_up

    def give_up(self) -> None:
        """Ends the connection, whatever its thread is waiting for."""
        with self._lock:
            self._is_given_up = True
            connection = self._socket
        if connection is not None:
            # It may have ended by itself. The plain socket's own `shutdown`: that of a TLS
            # connection would change what the other thread is reading from.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class GivenUpError(Exception):
    pass


class TooLateError(Exception):
    """There was no answer within the seconds of the attempt."""


class NotConnectedError(Exception):
    """There was no connection within the seconds that connecting may take; nothing was sent."""


def current_attempt() -> Attempt:
    """The attempt that this thread carries out."""
    attempt: Attempt = _of_this_thread.attempt
    return attempt


def carry_out(attempt: Attempt, work: Callable[[], T]) -> T:
    """Does the work in a thread of its own.

    Nothing else bounds it as a whole: the time-outs of sockets are those of each read, and neither
    a name's resolution nor several addresses that are tried in turn have one in common.

    Raises:
        TooLateError: When it takes longer than the attempt may.
        NotConnectedError: When connecting does.
    """
    outcome: Future[T] = Future()

    def run() -> None:
        _of_this_thread.attempt = attempt
        try:
            outcome.set_result(work())
        except BaseException as error:
            outcome.set_exception(error)

    is_done = False
    is_connected = True
    try:
        threading.Thread(target=run, name="remote-browser", daemon=True).start()
        seconds = min(attempt.seconds, threading.TIMEOUT_MAX)
        first = min(seconds, attempt.connect_seconds)
        is_done = bool(wait([outcome], first).done)
        if not is_done and first < seconds:
            is_connected = not attempt.give_up_unless_sent()
            is_done = is_connected and bool(wait([outcome], seconds - first).done)
    finally:
        # Also when Ctrl-C ends the wait: the service takes back an Open that its caller leaves.
        if not is_done:
            attempt.give_up()
    if not is_connected:
        raise NotConnectedError
    if not is_done:
        raise TooLateError
    return outcome.result()
