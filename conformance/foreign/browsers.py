"""A browser's life: how long it stays open, what it costs, and how it ends."""

import asyncio
import secrets
import string
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from accounts import Account, Plan
from chromium import Chromium
from refusals import Json

MINUTE_S = 60


class Browser:
    """A browser of an account, open or ended."""

    def __init__(self, account: Account, plan: Plan, options: Json, chromium: Chromium, base: str) -> None:
        self.account = account
        self.plan = plan
        self.chromium = chromium
        self.id = "br_" + "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(26))
        self.secret = secrets.token_urlsafe(32)
        self.address = base + self.secret
        self.kind: int = options["Browser"]
        # What clients can change, by the names in Update.
        self.values: Json = {
            name: options[name[0].upper() + name[1:]] for name in ("label", "tags", "keepOpen", "lifetime")
        }
        self.started_on = time.time()
        self.ended_on: float | None = None
        # Why it ended; `None` while it is open.
        self.reason: str | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.units = 0
        self.clients = 0
        # Whether a client has ever connected.
        self.is_known = False
        # How many requests wait for its end.
        self.waiting = 0
        self._idle_since = self.started_on
        self._timers: dict[Callable[[], None], asyncio.TimerHandle] = {}
        self._stopping: asyncio.Task[None] | None = None
        self._watching = asyncio.create_task(self._watch())
        self.charge()
        self.check_time()

    def seconds(self, name: str) -> float:
        """Returns `keepOpen` or `lifetime`. 0, and values above the plan's maximum lifetime, mean that maximum."""
        return min(self.values[name] or self.plan.max_lifetime, self.plan.max_lifetime)

    def next_end(self) -> tuple[float, str]:
        """Returns when the browser closes if nothing happens before, and why."""
        lifetime = (self.started_on + self.seconds("lifetime"), "lifetime")
        return (
            lifetime if self.clients > 0 else min(lifetime, (self._idle_since + self.seconds("keepOpen"), "inactive"))
        )

    def check_time(self) -> None:
        """Ends the browser if its time is up, and otherwise checks again when it will be."""
        moment, reason = self.next_end()
        if time.time() >= moment:
            self.end(reason)
        else:
            self._call_at(moment, self.check_time)

    def charge(self) -> None:
        """Charges a unit, now and after every full minute."""
        self.units += 1
        self.account.charge(1)
        self._call_at(self.started_on + MINUTE_S * self.units, self.charge)

    def _call_at(self, moment: float, callback: Callable[[], None]) -> None:
        if callback in self._timers:
            self._timers[callback].cancel()
        if self.reason is None:
            delay_s = max(0.0, moment - time.time())
            self._timers[callback] = asyncio.get_running_loop().call_later(delay_s, callback)

    @contextmanager
    def connection(self) -> Iterator[None]:
        """Counts a client while it is connected."""
        self.is_known = True
        self.clients += 1
        self.check_time()
        try:
            yield
        finally:
            self.clients -= 1
            self._idle_since = time.time()
            self.check_time()

    async def _watch(self) -> None:
        self.end(await self.chromium.wait())

    def end(self, reason: str) -> "asyncio.Task[None]":
        """Ends the browser, unless it has ended before. Its place is free immediately.

        Returns the task that ends its processes. Shield it if your caller may go away.
        """
        if self._stopping is None:
            self.reason, self.ended_on = reason, time.time()
            for timer in self._timers.values():
                timer.cancel()
            self.ended.set_result(None)
            self._stopping = asyncio.create_task(self.chromium.stop())
        return self._stopping

    def record(self) -> Json:
        is_open = self.reason is None
        return {
            "id": self.id,
            "state": "open" if is_open else "closed",
            "startedOn": to_text(self.started_on),
            "endedOn": None if self.ended_on is None else to_text(self.ended_on),
            "reason": self.reason,
            "units": self.units,
            "bytesSent": None,
            "bytesReceived": None,
            "address": self.address if is_open else None,
            "vncpass": None,
            "label": self.values["label"],
            "tags": self.values["tags"],
            "browser": self.kind,
            "headless": True,
            "keepOpen": self.seconds("keepOpen"),
            "closesOn": to_text(self.next_end()[0]) if is_open else None,
            "clients": self.clients if is_open else 0,
            "desktop": False,
        }


def to_text(moment: float) -> str:
    """Writes a moment as the contract does: in UTC, with milliseconds."""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
