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
    """One attempt of a call, which its caller can give up."""

    def __init__(self, seconds: float, connect_seconds: float) -> None:
        self.seconds = seconds
        self.connect_seconds = connect_seconds
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_given_up = False

    @property
    def was_sent(self) -> bool:
        """Whether part of the request may have been sent."""
        with self._lock:
            return self._socket is not None

    def send_over(self, connection: socket.socket) -> None:
        """Records the connection over which the request will be sent.

        Raises:
            GivenUpError: If the caller has given up, so that nothing may be sent.
        """
        with self._lock:
            if self._is_given_up:
                raise GivenUpError
            self._socket = connection

    def give_up_unless_sent(self) -> bool:
        """Gives up unless the request may have been sent. Returns whether it gave up."""
        with self._lock:
            self._is_given_up = self._socket is None
            return self._is_given_up

    def give_up(self) -> None:
        """Closes the connection, even while another thread reads from it."""
        with self._lock:
            self._is_given_up = True
            connection = self._socket
        if connection is not None:
            # The connection may already be closed. A TLS connection's own `shutdown` would modify
            # the object that the other thread is reading from, so use the plain socket's.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class GivenUpError(Exception):
    pass


class TooLateError(Exception):
    """The attempt timed out."""


class NotConnectedError(Exception):
    """Connecting timed out, so nothing was sent."""


def current_attempt() -> Attempt:
    """Returns the current thread's attempt."""
    attempt: Attempt = _of_this_thread.attempt
    return attempt


def carry_out(attempt: Attempt, work: Callable[[], T]) -> T:
    """Runs the work in a new thread.

    Only a thread allows a timeout for the whole attempt: a socket's timeout applies to each read,
    and resolving a name or trying several addresses has no timeout.

    Raises:
        TooLateError: If the attempt times out.
        NotConnectedError: If connecting times out.
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
        # On Ctrl-C, this also closes the connection, and the service undoes an Open request.
        if not is_done:
            attempt.give_up()
    if not is_connected:
        raise NotConnectedError
    if not is_done:
        raise TooLateError
    return outcome.result()
