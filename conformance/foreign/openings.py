"""Open requests: the checks of the account and the machine, places, and requests that are repeated."""

import asyncio
import hashlib
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import devtools
from accounts import Account, Plan, current_month
from browsers import Browser
from chromium import Chromium, find_executables, read_user_agent
from options import HEADLESS_SHELL
from refusals import Json, Refusal

CAPACITY = 40
MAX_WAITING = 100
# How long an Open with a key goes on without its client.
ABANDONED_S = 30
# How long the records of ended browsers are kept.
KEPT_S = 24 * 3600


@dataclass
class KeyedOpen:
    """An Open request with an `Idempotency-Key`, and the requests that repeat it."""

    options: str
    task: "asyncio.Task[Browser]"
    started_at: float = field(default_factory=time.monotonic)
    waiting: int = 0
    is_answered: bool = False

    @property
    def browser(self) -> Browser | None:
        """The browser; `None` if it isn't open yet, or could not be opened."""
        is_open = self.task.done() and not self.task.cancelled() and self.task.exception() is None
        return self.task.result() if is_open else None


class Openings:
    """Opens browsers."""

    def __init__(self) -> None:
        self.executables = find_executables()
        # All browsers that are still recorded, by the secret part of their addresses.
        self.by_secret: dict[str, Browser] = {}
        self._user_agent = read_user_agent(next(iter(self.executables.values())))
        self._starts = asyncio.Semaphore(os.cpu_count() or 1)
        self._opening = 0
        # Set whenever a place becomes free.
        self._freed = asyncio.Event()

    def all_open(self) -> list[Browser]:
        return [each for each in self.by_secret.values() if each.reason is None]

    async def open(self, account: Account, options: Json, base: str) -> Browser:
        """Opens a browser. `base` is the beginning of its address."""
        async with self.place(account, options) as deadline:
            chromium = Chromium(self.executables[options["Browser"]], self._user_agent, options)
            try:
                async with asyncio.timeout_at(deadline), self._starts:
                    await chromium.start()
                    await devtools.prepare(chromium, options["Screen"])
            except BaseException as error:
                await asyncio.shield(chromium.stop())
                if isinstance(error, OSError | TimeoutError):
                    raise Refusal(503, "BrowserUnavailable", f"The browser failed to start: {error}.") from error
                raise
            browser = Browser(account, account.plan or Plan(""), options, chromium, base)
            browser.ended.add_done_callback(lambda _: self._release(browser))
            account.browsers[browser.id] = self.by_secret[browser.secret] = browser
            return browser

    @asynccontextmanager
    async def place(self, account: Account, options: Json) -> AsyncIterator[float | None]:
        """Holds a place for a browser that is being opened.

        Yields the event loop's time at which it must be open, if the request had to wait for its place.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + options["WaitForPlace"]
        has_waited = False
        account.waiting += 1
        try:
            while (refusal := self.why_not(account, options)) is not None:
                left_s = deadline - loop.time()
                can_end = refusal.name == "BrowserLimit" or "Retry-After" in refusal.headers
                if not can_end or left_s <= 0 or account.waiting > MAX_WAITING or self._why_never(options):
                    raise refusal
                has_waited = True
                self._freed.clear()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._freed.wait(), left_s)
        finally:
            account.waiting -= 1
        account.opening += 1
        self._opening += 1
        try:
            yield deadline if has_waited else None
        finally:
            account.opening -= 1
            self._opening -= 1
            self._freed.set()

    def why_not(self, account: Account, options: Json) -> Refusal | None:
        """Returns why the account can't open such a browser now, by the first check that fails."""
        plan, used, count = account.plan, account.units[current_month()], account.opening + len(account.open_browsers())
        if plan is None:
            return Refusal(402, "NoSubscription", "This account has no subscription: choose a plan.")
        # Each browser that is being opened will need a unit.
        if plan.units is not None and used + account.opening >= plan.units:
            return Refusal(403, "NoUnits", f"All {plan.units} units of this month are used up.")
        if plan.parallel is not None and count >= plan.parallel:
            message = f"{count} of {plan.parallel} browsers are open: close one, or wait until one closes."
            return Refusal(404, "BrowserLimit", message)
        if why := self._why_never(options):
            return Refusal(503, "BrowserUnavailable", why)
        if self._opening + len(self.all_open()) >= CAPACITY:
            return Refusal(503, "BrowserUnavailable", "The machine is full: try again in 2 s.", Retry_After="2")
        return None

    def _why_never(self, options: Json) -> str | None:
        """Returns why this machine can never open such a browser."""
        if options["Browser"] not in self.executables:
            return f"This kind of browser is not installed here: choose one of {list(self.executables)}."
        is_graphical = options["Browser"] != HEADLESS_SHELL and not options["Headless"]
        return "This deployment has no graphical browsers: send Headless true." if is_graphical else None

    def _release(self, browser: Browser) -> None:
        self._freed.set()
        asyncio.get_running_loop().call_later(KEPT_S, self._forget, browser)

    def _forget(self, browser: Browser) -> None:
        account = browser.account
        account.browsers.pop(browser.id, None)
        self.by_secret.pop(browser.secret, None)
        account.keys = {key: keyed for key, keyed in account.keys.items() if keyed.browser is not browser}

    async def open_once(
        self, account: Account, key: str, options: Json, start: Callable[[], Coroutine[Any, Any, Browser]]
    ) -> Browser:
        """Opens a browser, or returns the one that an earlier request with the same key opened."""
        # The options may contain a proxy's password, so only their hash is kept.
        hashed = hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()
        left_s = None
        if (keyed := account.keys.get(key)) is None:
            keyed = account.keys[key] = KeyedOpen(hashed, asyncio.create_task(start()))
            keyed.task.add_done_callback(lambda _: keyed.browser or account.keys.pop(key, None))
        else:
            left_s = max(0.0, keyed.started_at + ABANDONED_S - time.monotonic())
        if keyed.options != hashed:
            message = "This Idempotency-Key belongs to a request with other options: choose another key."
            raise Refusal(422, "IdempotencyKeyReused", message)
        keyed.waiting += 1
        try:
            await asyncio.wait({keyed.task}, timeout=left_s)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(ABANDONED_S, self._undo, account, keyed)
            raise
        finally:
            keyed.waiting -= 1
        if not keyed.task.done():
            message = "The first request with this Idempotency-Key is still in progress: try again in 5 s."
            raise Refusal(409, "IdempotencyKeyInUse", message, Retry_After="5")
        keyed.is_answered = True
        return keyed.task.result()

    def _undo(self, account: Account, keyed: KeyedOpen) -> None:
        """Undoes an Open whose client has gone, unless a client has repeated it or uses the browser."""
        if keyed.is_answered or keyed.waiting > 0:
            return
        keyed.task.cancel()
        browser = keyed.browser
        if browser is not None and not browser.is_known:
            browser.end("requested")
            account.charge(-browser.units)
            self._forget(browser)
