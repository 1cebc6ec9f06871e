"""Faults for tests of the conformance suite. Each replaces one function of the server by a wrong one.

`python faults.py` prints the rules that must find each fault, as JSON.
"""

import asyncio
import atexit
import json
import shutil
import time
import zlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NamedTuple

from aiohttp import WSMessage, web

import chromium
import devtools
import operations
import options
from accounts import Account
from browsers import Browser
from openings import Openings
from operations import Call, Operations
from refusals import Json, Refusal
from server import Server

Apply = Callable[[], None]


class Fault(NamedTuple):
    """A fault, and the rules that must find it."""

    rules: tuple[str, ...]
    apply: Apply


FAULTS: dict[str, Fault] = {}


def fault(name: str, *rules: str) -> Callable[[Apply], Apply]:
    def add(apply: Apply) -> Apply:
        FAULTS[name] = Fault(rules, apply)
        return apply

    return add


def replace(owner: object, name: str, wrong: object) -> None:
    setattr(owner, name, wrong)


@fault("chromium-after-close", "RBS-SITE-01")
def run_on_after_close() -> None:
    """Close disconnects the clients, but the browser runs on."""

    async def run_on(self: chromium.Chromium) -> None:
        # The last one registered is the first one called.
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        atexit.register(self.kill)

    replace(chromium.Chromium, "stop", run_on)


@fault("token-case", "RBS-AUTH-05")
def ignore_case_of_tokens() -> None:
    """A token is accepted in any case."""
    right = Server.find_account

    def find(self: Server, token: str) -> Account | None:
        return next((right(self, each) for each in self.accounts if each.lower() == token.lower()), None)

    replace(Server, "find_account", find)


@fault("proxy-ignored", "RBS-PROXY-10", "RBS-SITE-03")
def ignore_proxies() -> None:
    """Browsers connect directly, even if the request names a proxy."""
    replace(chromium, "proxy_switches", lambda *_: [])


@fault("one-unit", "RBS-INFO-08")
def charge_once() -> None:
    """A browser costs one unit, however long it is open."""
    right = Browser.charge

    def charge(self: Browser) -> None:
        if self.units == 0:
            right(self)

    replace(Browser, "charge", charge)


@fault("large-messages-dropped", "RBS-CONNECT-10")
def drop_large_messages() -> None:
    """DevTools messages of more than 1 MiB are lost."""
    right = devtools.forward

    async def forward(message: WSMessage, sink: devtools.WebSocket) -> None:
        if len(message.data) <= 2**20:
            await right(message, sink)

    replace(devtools, "forward", forward)


@fault("crash-as-1000", "RBS-CONNECT-09")
def hide_crashes() -> None:
    """When a browser crashes, connections close with the code of a normal end."""
    devtools.CLOSE_CODES["crashed"] = 1000


@fault("white-screenshots", "RBS-SHOT-06")
def take_white_screenshots() -> None:
    """Pictures have the right size, but show nothing."""
    right = devtools.capture

    async def capture(browser: chromium.Chromium) -> bytes:
        return whiten(await right(browser))

    replace(devtools, "capture", capture)


def whiten(picture: bytes) -> bytes:
    """Returns a white PNG that is as large as another one."""
    size = picture[16:24]
    width, height = int.from_bytes(size[:4]), int.from_bytes(size[4:])
    # A byte for each pixel, in grey, and one before each row.
    parts = {b"IHDR": size + b"\10\0\0\0\0", b"IDAT": zlib.compress((b"\0" + b"\xff" * width) * height), b"IEND": b""}
    chunks = [(len(data).to_bytes(4), kind + data) for kind, data in parts.items()]
    return picture[:8] + b"".join(length + body + zlib.crc32(body).to_bytes(4) for length, body in chunks)


@fault("keepopen-short", "RBS-IDLE-14")
def shorten_keep_open() -> None:
    """Browsers close after 70 % of `KeepOpen`."""
    right = Browser.next_end

    def next_end(self: Browser) -> tuple[float, str]:
        moment, reason = right(self)
        return moment - (0.3 * self.seconds("keepOpen") if reason == "inactive" else 0), reason

    replace(Browser, "next_end", next_end)


@fault("any-switch", "RBS-OPEN-24", "RBS-OPEN-25")
def allow_all_switches() -> None:
    """Every switch in `Args` is handed on, and every default can be removed."""
    replace(options, "is_allowed", lambda *_: True)
    options.WITHOUT_EFFECT.clear()
    options.PROTECTING.clear()


@fault("third-client-refused", "RBS-CONNECT-01")
def refuse_third_client() -> None:
    """Only two clients can connect to a browser at the same time."""
    right = devtools.serve

    async def serve(request: web.Request, browser: Browser) -> web.WebSocketResponse:
        if browser.clients >= 2:
            raise Refusal(503, "BrowserUnavailable", "This browser has two clients already.")
        return await right(request, browser)

    replace(devtools, "serve", serve)


@fault("kept-place", "RBS-LIMIT-08")
def keep_places() -> None:
    """An Open request whose client disconnects keeps its place within the parallel limit."""
    right = Openings.place

    @asynccontextmanager
    async def place(self: Openings, account: Account, wanted: Json) -> AsyncIterator[float | None]:
        async with right(self, account, wanted) as deadline:
            try:
                yield deadline
            except asyncio.CancelledError:
                account.opening += 1
                raise

    replace(Openings, "place", place)


@fault("stale-list", "RBS-CLOSE-01")
def list_late() -> None:
    """The list of browsers can be two seconds old."""
    right = Operations.getBrowsers
    lists: dict[int, tuple[float, Json]] = {}

    async def list_browsers(self: Operations, call: Call) -> Json:
        made, answer = lists.get(id(call.account), (0.0, {}))
        if time.monotonic() - made > 2:
            made, answer = lists[id(call.account)] = time.monotonic(), await right(self, call)
        return answer

    replace(Operations, "getBrowsers", list_browsers)


@fault("all-accounts-listed", "RBS-ISO-01")
def list_all_accounts() -> None:
    """The list shows the browsers of all accounts."""

    async def list_browsers(self: Operations, _: Call) -> Json:
        return {"sessions": [each.record() for each in self.openings.all_open()]}

    replace(Operations, "getBrowsers", list_browsers)


def change_options(change: Callable[[Json], Json]) -> None:
    right = options.complete
    replace(operations, "complete", lambda sent, values: right(sent, change(values)))


@fault("label-trimmed", "RBS-OPEN-22")
def trim_labels() -> None:
    """Labels lose the spaces around them."""
    change_options(lambda values: values | ({"Label": values["Label"].strip()} if "Label" in values else {}))


@fault("language-ignored", "RBS-LANGUAGE-01", "RBS-SITE-04")
def ignore_languages() -> None:
    """Every browser speaks English."""
    change_options(lambda values: values | {"Language": "en-US"})


@fault("keys-ignored", "RBS-KEY-01")
def ignore_keys() -> None:
    """Every request opens a browser, even if it repeats another one with the same `Idempotency-Key`."""

    async def open_again(_: Openings, *call: Any) -> Browser:
        start: Callable[[], Coroutine[Any, Any, Browser]] = call[-1]
        return await start()

    replace(Openings, "open_once", open_again)


@fault("wait-immediate", "RBS-WAIT-02")
def answer_wait_immediately() -> None:
    """Wait answers without waiting."""
    right = Operations.waitForBrowser

    async def wait(self: Operations, call: Call) -> Json:
        return await right(self, call._replace(values=call.values | {"seconds": 0}))

    replace(Operations, "waitForBrowser", wait)


@fault("disconnect-closes", "RBS-CONNECT-02")
def close_on_disconnect() -> None:
    """A browser closes when its last client disconnects."""
    right = Browser.connection

    @contextmanager
    def connection(self: Browser) -> Iterator[None]:
        try:
            with right(self):
                yield
        finally:
            if self.clients == 0:
                self.end("inactive")

    replace(Browser, "connection", connection)


@fault("idle-with-clients", "RBS-IDLE-03")
def ignore_clients() -> None:
    """The inactivity period runs while clients are connected."""
    right = Browser.next_end

    def next_end(self: Browser) -> tuple[float, str]:
        clients, self.clients = self.clients, 0
        try:
            return right(self)
        finally:
            self.clients = clients

    replace(Browser, "next_end", next_end)


@fault("limit-race", "RBS-LIMIT-02")
def forget_openings() -> None:
    """Browsers that are being opened don't count towards the parallel limit."""
    right = Openings.why_not

    def why_not(self: Openings, account: Account, wanted: Json) -> Refusal | None:
        opening, account.opening = account.opening, 0
        try:
            return right(self, account, wanted)
        finally:
            account.opening = opening

    replace(Openings, "why_not", why_not)


if __name__ == "__main__":
    print(json.dumps({name: each.rules for name, each in FAULTS.items()}))
