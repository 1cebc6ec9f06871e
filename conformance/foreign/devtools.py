"""DevTools: the connections of clients to their browsers, and the server's own commands to a page."""

import asyncio
import base64
import binascii
import ipaddress
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientSession, ClientWebSocketResponse, WSMessage, WSMsgType, web
from yarl import URL

from chromium import Chromium
from refusals import Json, Problem, Refusal, refuse_if_any

if TYPE_CHECKING:
    from browsers import Browser

WebSocket = ClientWebSocketResponse | web.WebSocketResponse

# The first size that is too large: messages of 64 MiB must pass.
MAX_MESSAGE = 64 * 2**20 + 1
# A client that has disappeared counts as disconnected after one and a half of these.
HEARTBEAT_S = 20
# How long a client may leave data unread.
UNREAD_MS = 120_000
# How long a browser that has closed its connections may take to end.
ENDING_S = 10
PAGE_S = 15
RESIZE_S = 8
POLL_S = 0.02

# The codes with which connections close when a browser ends; 1000 for all other reasons.
CLOSE_CODES = {"shutdown": 1001, "crashed": 1011}


def check_handshake(request: web.Request) -> None:
    """Refuses what is not a correct WebSocket handshake, and pages of other sites."""
    headers = request.headers
    if headers.get("Upgrade", "").lower() != "websocket" or headers.get("Sec-WebSocket-Version") != "13":
        message = "This is the address of a browser: connect to it by WebSocket, version 13."
        raise Refusal(426, "UpgradeRequired", message, Upgrade="websocket", Sec_WebSocket_Version="13")
    try:
        key = base64.b64decode(headers.get("Sec-WebSocket-Key", ""), validate=True)
    except binascii.Error:
        key = b""
    if len(key) != 16:
        refuse_if_any([Problem("", "must have a Sec-WebSocket-Key of 16 bytes in Base64")])
    origin = headers.get("Origin")
    if origin is not None and origin.partition("://")[2].lower() != request.host.lower():
        raise Refusal(403, "Forbidden", f"Pages from {origin} must not connect to browsers.")


def check_host(request: web.Request, browser: "Browser") -> None:
    """Refuses host names that others may have pointed at this server."""
    try:
        name = URL(f"http://{request.host}").host or ""
        if name not in ("localhost", URL(browser.address).host):
            ipaddress.ip_address(name)
    except ValueError:
        raise Refusal(403, "Forbidden", f"This server is not known as {request.host}.") from None


async def serve(request: web.Request, browser: "Browser") -> web.WebSocketResponse:
    """Connects a client to its browser until one of them ends."""
    client = web.WebSocketResponse(max_msg_size=MAX_MESSAGE, heartbeat=HEARTBEAT_S, compress=False)
    with browser.connection():
        async with ClientSession() as session:
            try:
                url = f"ws://{browser.chromium.host}{browser.chromium.path}"
                upstream = await session.ws_connect(url, max_msg_size=MAX_MESSAGE)
            except (ClientError, OSError) as error:
                raise Refusal(502, "BadGateway", "The browser does not accept the connection.") from error
            await client.prepare(request)
            if request.transport is not None:
                wire = request.transport.get_extra_info("socket")
                wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
            await _relay(client, upstream, browser)
    return client


async def _relay(client: web.WebSocketResponse, upstream: ClientWebSocketResponse, browser: "Browser") -> None:
    pumps = [asyncio.create_task(_pump(*ends)) for ends in ((client, upstream), (upstream, client))]
    try:
        await asyncio.wait([*pumps, browser.ended], return_when=asyncio.FIRST_COMPLETED)
        if not client.closed:
            # If only the browser's side has closed, its process is about to end.
            await asyncio.wait([browser.ended], timeout=ENDING_S)
    finally:
        for each in pumps:
            each.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
    reason = "connection lost" if browser.reason is None else f"browser closed: {browser.reason}"
    code = 1011 if browser.reason is None else CLOSE_CODES.get(browser.reason, 1000)
    await client.close(code=code, message=reason.encode())


async def _pump(source: WebSocket, sink: WebSocket) -> None:
    async for message in source:
        await forward(message, sink)


async def forward(message: WSMessage, sink: WebSocket) -> None:
    if message.type is WSMsgType.TEXT:
        await sink.send_str(message.data)
    elif message.type is WSMsgType.BINARY:
        await sink.send_bytes(message.data)


class Page:
    """The server's own connection to a page."""

    def __init__(self, connection: ClientWebSocketResponse) -> None:
        self._connection = connection

    async def command(self, method: str, **params: Any) -> Json:
        await self._connection.send_json({"id": 1, "method": method, "params": params})
        async for message in self._connection:
            answer: Json = message.json()
            if answer.get("id") == 1 and "result" in answer:
                return dict(answer["result"])
            if "error" in answer:
                raise ConnectionError(f"{method} failed: {answer['error']['message']}")
        raise ConnectionError(f"The page closed before it answered {method}.")


@asynccontextmanager
async def front_page(chromium: Chromium) -> AsyncIterator[Page | None]:
    """Connects to the most recently used page, or yields `None` if the browser has no page."""
    async with ClientSession() as session:
        async with session.get(f"http://{chromium.host}/json/list") as answer:
            pages = [each for each in await answer.json(content_type=None) if each["type"] == "page"]
        if pages:
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as connection:
                yield Page(connection)
        else:
            yield None


async def prepare(chromium: Chromium, screen: Json | None) -> None:
    """Waits for the first page, and gives it the size of `Screen`."""
    async with asyncio.timeout(PAGE_S):
        while True:
            async with front_page(chromium) as page:
                if page is not None:
                    return None if screen is None else await resize(page, screen)
            await asyncio.sleep(POLL_S)


async def resize(page: Page, screen: Json) -> None:
    window = await page.command("Browser.getWindowForTarget")
    size = {"width": screen["Width"], "height": screen["Height"]}
    await page.command("Browser.setContentsSize", windowId=window["windowId"], **size)
    expression = f"innerWidth === {screen['Width']} && innerHeight === {screen['Height']}"
    try:
        async with asyncio.timeout(RESIZE_S):
            while not (await page.command("Runtime.evaluate", expression=expression))["result"]["value"]:
                await asyncio.sleep(POLL_S)
    except TimeoutError:
        refuse_if_any([Problem("/Screen", "is a size that this kind of browser can't have")])


async def capture(chromium: Chromium) -> bytes:
    """Takes a picture of the front page, as a PNG."""
    try:
        async with asyncio.timeout(PAGE_S), front_page(chromium) as page:
            if page is not None:
                return base64.b64decode((await page.command("Page.captureScreenshot"))["data"])
    except (ClientError, OSError, TimeoutError):
        # The browser may have just ended, or the page may be closing.
        pass
    message = "The browser shows nothing that a picture could be taken of: open a page, and try again in 1 s."
    raise Refusal(503, "BrowserUnavailable", message, Retry_After="1")
