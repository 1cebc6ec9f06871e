from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from remote_browser._attempt import Attempt, NotConnectedError, TooLateError, carry_out
from remote_browser._core import TransportError
from remote_browser._generated.errors import is_error_name
from remote_browser._retry_rule import retry_rule_of
from remote_browser._settings import Settings
from remote_browser.errors import ApiError, ConnectionError, TimeoutError

T = TypeVar("T")

_FIRST_WAIT = 0.25

# The resulting wait exceeds any timeout. More doublings would overflow a float.
_MOST_DOUBLINGS = 30

# The statuses of a gateway that can't reach the service in time.
_GATEWAY = frozenset({502, 503, 504})


@dataclass(frozen=True)
class World:
    """The dependencies that tests replace."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    # Jitter keeps clients from retrying at the same time.
    random: Callable[[], float] = random.random
    # Timeout for connecting, including name resolution and TLS.
    connect_seconds: float = 10


@dataclass(frozen=True)
class Plan:
    """The retry rule and timeout of an operation."""

    # Whether it can be retried even if the service may have carried it out.
    is_idempotent: bool
    # Timeout for one attempt. None means that only the timeout for the whole call applies.
    seconds: float | None
    # The setting that defines the timeout, for messages.
    origin: str = "timeout"
    # Called with the call's deadline before such a retry. If it returns false, the call fails.
    is_proven: Callable[[float], bool] = lambda _: True

    def extended_by(self, seconds: float, origin: str) -> Plan:
        """Returns the same rules with more time for one attempt."""
        if self.seconds is None or seconds <= 0:
            return self
        return replace(self, seconds=self.seconds + seconds, origin=f"{self.origin} and {origin}")


class Calls:
    """Makes calls: attempts, pauses between them, and timeouts."""

    def __init__(self, settings: Settings, world: World) -> None:
        self._settings = settings
        self._world = world

    def call(self, work: Callable[[], T], plan: Plan, deadline: float | None = None) -> T:
        """Makes a call, and retries it where retrying is safe and may help.

        Args:
            work: Makes one request.
            plan: The operation's rules.
            deadline: The deadline of an outer call. Default: after the total timeout.

        Raises:
            ApiError, ConnectionError, TimeoutError, InvalidAnswerError: The last attempt's error.
        """
        world, settings = self._world, self._settings
        if deadline is None:
            deadline = world.now() + settings.total_timeout
        repeats = 0
        while True:
            remaining = max(0.0, deadline - world.now())
            if plan.seconds is None or remaining < plan.seconds:
                bound, limit, origin = remaining, settings.total_timeout, "total_timeout"
            else:
                bound, limit, origin = plan.seconds, plan.seconds, plan.origin
            attempt = Attempt(bound, world.connect_seconds)
            may_have_happened = False
            try:
                return carry_out(attempt, work)
            except ApiError as refusal:
                problem: ApiError | ConnectionError | TimeoutError = refusal
                seconds = self._wait_after_refusal(refusal, plan, repeats)
                may_have_happened = not is_error_name(refusal.name)
            except TooLateError:
                problem = self._too_late(limit, origin)
                seconds = self._backoff(repeats) if plan.is_idempotent else None
                may_have_happened = True
            except NotConnectedError:
                problem = self._not_connected(f"timed out after {world.connect_seconds:g} s")
                seconds = self._backoff(repeats)
            except TransportError as error:
                if attempt.was_sent:
                    problem, is_safe = self._lost(error), plan.is_idempotent
                else:
                    problem = self._not_connected(f"failed: {error}")
                    is_safe = not error.is_tls
                seconds = self._backoff(repeats) if is_safe else None
                may_have_happened = attempt.was_sent
            has_more = repeats < settings.retries
            if not has_more or seconds is None or world.now() + seconds >= deadline:
                raise problem
            world.sleep(seconds)
            if may_have_happened and not plan.is_proven(deadline):
                raise problem
            repeats += 1

    def _too_late(self, seconds: float, origin: str) -> TimeoutError:
        return TimeoutError(
            f"No complete response from {self._settings.place} within {seconds:.10g} s ({origin})."
        )

    def _not_connected(self, how: str) -> ConnectionError:
        return ConnectionError(f"Connecting to {self._settings.place} {how}.")

    def _lost(self, error: TransportError) -> ConnectionError:
        how = "was lost before the response was complete"
        return ConnectionError(f"The connection to {self._settings.place} {how}: {error}.")

    def _wait_after_refusal(self, error: ApiError, plan: Plan, repeats: int) -> float | None:
        """Returns the seconds to wait before a retry, or None if there must be no retry."""
        if is_error_name(error.name):
            # The service didn't carry out the request, so any operation can be retried.
            return error.retry_after if retry_rule_of(error.name) == "with Retry-After" else None
        is_gateways = error.name == "" and error.status in _GATEWAY
        return self._backoff(repeats) if is_gateways and plan.is_idempotent else None

    def _backoff(self, repeats: int) -> float:
        longest: float = _FIRST_WAIT * 2 ** min(repeats, _MOST_DOUBLINGS)
        return longest * (1 + self._world.random()) / 2
