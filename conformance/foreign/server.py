"""A small server for the contract of the Remote Browser Service. It offers headless browsers."""

import asyncio
import logging
import signal
import uuid

from aiohttp import web

import devtools
from accounts import Account
from contract import Contract
from openings import Openings
from operations import Call, Operations
from records import not_found
from refusals import Json, Refusal

DEVTOOLS_PATH = "/devtools/browser/"
SHUTDOWN_S = 2


class Server:
    """Answers all requests."""

    def __init__(self, accounts: dict[str, Account]) -> None:
        self.accounts = accounts
        self._contract = Contract()
        self.openings = Openings()
        self._operations = Operations(self.openings)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        request_id = uuid.uuid4().hex
        try:
            if request.path.startswith(DEVTOOLS_PATH):
                return await self._connect(request)
            body, status, headers = await self._answer(request), 200, {}
        except Refusal as refusal:
            body, status, headers = refusal.body(request_id), refusal.status, refusal.headers
        except Exception:
            logging.exception("request %s failed", request_id)
            unknown = Refusal(500, "Unknown", "Something unexpected went wrong: send this requestId to the operator.")
            body, status, headers = unknown.body(request_id), unknown.status, {}
        return web.json_response(body, status=status, headers={**headers, "X-Request-Id": request_id})

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        devtools.check_handshake(request)
        browser = self.openings.by_secret.get(request.path.removeprefix(DEVTOOLS_PATH))
        if browser is None or browser.reason is not None:
            raise not_found()
        devtools.check_host(request, browser)
        return await devtools.serve(request, browser)

    async def _answer(self, request: web.Request) -> Json:
        """Checks a request in the order that the contract gives, and lets its operation answer."""
        if request.path == "/openapi.json":
            return self._contract.document
        methods = self._contract.paths.get(request.path.lower())
        if methods is None:
            raise Refusal(404, "NotFound", f"There is nothing at {request.path}.")
        operation = methods.get(request.method.lower())
        if operation is None:
            allowed = ", ".join(methods).upper()
            raise Refusal(405, "MethodNotAllowed", f"{request.path} accepts {allowed}.", Allow=allowed)
        account = self._authorize(request.headers.get("Authorization", ""))
        account.count_request()
        sent: Json = {}
        values: Json = {}
        if "requestBody" in operation:
            text = await _read_text(request, operation["x-max-body-bytes"])
            sent, values = self._contract.read_body(operation, text)
        base = f"{'wss' if request.secure else 'ws'}://{request.host}{DEVTOOLS_PATH}"
        call = Call(account, sent, values, request.headers.get("Idempotency-Key"), base)
        answer: Json = await getattr(self._operations, operation["operationId"])(call)
        return answer

    def _authorize(self, authorization: str) -> Account:
        scheme, _, token = authorization.partition(" ")
        account = self.find_account(token) if scheme.lower() == "bearer" else None
        if account is None:
            message = "The token is missing or incorrect: send it in the Authorization header, as Bearer <token>."
            raise Refusal(401, "AuthorizationError", message, WWW_Authenticate="Bearer")
        return account

    def find_account(self, token: str) -> Account | None:
        return self.accounts.get(token)


async def _read_text(request: web.Request, limit: int) -> bytes:
    """Reads the body, unless it is too large or is not declared as JSON."""
    too_large = Refusal(413, "PayloadTooLarge", f"The body is larger than {limit} bytes, which is the most here.")
    if (request.content_length or 0) > limit:
        raise too_large
    text = bytearray()
    async for chunk in request.content.iter_any():
        text += chunk
        if len(text) > limit:
            raise too_large
    declared = request.headers.get("Content-Type", "application/json")
    media_type = declared.partition(";")[0].strip().lower()
    if text and media_type != "application/json" and not media_type.endswith("+json"):
        raise Refusal(415, "UnsupportedMediaType", f"The Content-Type is {declared}: send application/json.")
    return bytes(text)


async def run(port: int, accounts: dict[str, Account]) -> None:
    """Serves until SIGTERM or SIGINT."""
    server = Server(accounts)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", server.handle)
    # When a client disconnects, its request is cancelled: an Open then gives back what it holds.
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=SHUTDOWN_S, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    stopped = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    print(f"Listening on http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await stopped.wait()
    await asyncio.gather(*(each.end("shutdown") for each in server.openings.all_open()))
    await runner.cleanup()
