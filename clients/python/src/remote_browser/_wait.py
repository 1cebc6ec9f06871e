from __future__ import annotations

from remote_browser._reference import Reference
from remote_browser._service import Service
from remote_browser.errors import TimeoutError

# Below 30 s, after which many gateways end a request.
_LONGEST = 25.0

# Limits the request rate: a service that is shutting down responds early, with an open browser.
_SHORTEST_ROUND = 1.0


def wait_closed(service: Service, reference: Reference, timeout: float | None) -> str:
    """Waits until a browser has ended, and returns the reason.

    Raises:
        TimeoutError: If the browser is still open after the timeout.
    """
    world = service.world
    deadline = None if timeout is None else world.now() + timeout
    # The service must respond well before the attempt times out.
    longest = min(_LONGEST, service.timeout / 2)
    while True:
        started = world.now()
        remaining = longest if deadline is None else max(0.0, deadline - started)
        answer = service.wait(reference, min(longest, remaining))
        if answer.state == "closed":
            return answer.reason or ""
        now = world.now()
        if deadline is not None and now >= deadline:
            raise TimeoutError(f"The browser is still open after {timeout:.10g} s (timeout).")
        until = started + _SHORTEST_ROUND
        pause = (until if deadline is None else min(until, deadline)) - now
        if pause > 0:
            world.sleep(pause)
