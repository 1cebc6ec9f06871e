"""The operations of the contract. Each is a method that has the operation's name."""

import asyncio
import base64
import re
from typing import NamedTuple

import devtools
import records
from accounts import Account
from browsers import Browser
from openings import MAX_WAITING, Openings
from options import complete, with_defaults
from refusals import Json, Problem, Refusal, refuse_if_any

DEFAULT_WAIT_S = 25


class Call(NamedTuple):
    """A request to an operation that has passed all checks that don't depend on the operation."""

    account: Account
    # The body as it was sent, and its values by the names in the contract, without nulls.
    sent: Json
    values: Json
    key: str | None
    # The beginning of the addresses of browsers, by the name under which the client knows this server.
    base: str


class Operations:
    def __init__(self, openings: Openings) -> None:
        self.openings = openings

    async def openBrowser(self, call: Call) -> Json:
        if call.key is not None and not re.fullmatch(r"[!-~]{1,255}", call.key):
            refuse_if_any([Problem("", "must have an Idempotency-Key of 1 to 255 visible ASCII characters")])
        options = complete(call.sent, call.values)

        async def start() -> Browser:
            return await self.openings.open(call.account, options, call.base)

        once = call.key is not None
        browser = await (
            self.openings.open_once(call.account, call.key or "", with_defaults(call.values), start)
            if once
            else start()
        )
        return {"status": 200, "address": browser.address, "id": browser.id}

    async def closeBrowser(self, call: Call) -> Json:
        await asyncio.shield(records.find(call.account, call.values).end("requested"))
        return {"status": 200}

    async def closeAllBrowsers(self, call: Call) -> Json:
        if len(call.values) != 1:
            refuse_if_any([Problem("", "must have exactly one of label, tag and all")])
        ((name, wanted),) = call.values.items()
        if wanted is False:
            refuse_if_any([Problem("/all", "must be true")])

        def is_meant(browser: Browser) -> bool:
            is_tagged = name == "tag" and wanted in browser.values["tags"]
            return name == "all" or is_tagged or (name == "label" and wanted == browser.values["label"])

        endings = [each.end("requested") for each in call.account.open_browsers() if is_meant(each)]
        await asyncio.shield(asyncio.gather(*endings))
        return {"closed": len(endings)}

    async def getBrowsers(self, call: Call) -> Json:
        return {"sessions": [each.record() for each in call.account.open_browsers()]}

    async def getBrowserInfo(self, call: Call) -> Json:
        return records.find(call.account, call.values, is_ended_found=True).record()

    async def getBrowserHistory(self, call: Call) -> Json:
        return records.history(call.account, call.values)

    async def waitForBrowser(self, call: Call) -> Json:
        browser = records.find(call.account, call.values, is_ended_found=True)
        if browser.waiting >= MAX_WAITING:
            message = f"{MAX_WAITING} requests wait for this browser: try again in 5 s."
            raise Refusal(503, "BrowserUnavailable", message, Retry_After="5")
        browser.waiting += 1
        try:
            await asyncio.wait([browser.ended], timeout=call.values.get("seconds", DEFAULT_WAIT_S))
        finally:
            browser.waiting -= 1
        return {"state": "open" if browser.reason is None else "closed", "reason": browser.reason}

    async def updateBrowser(self, call: Call) -> Json:
        values = {name: value for name, value in call.values.items() if name not in ("address", "id")}
        if not values:
            missing = Problem("", "must have keepOpen, lifetime, label or tags")
            refuse_if_any([*records.reference_problems(call.values), missing])
        browser = records.find(call.account, call.values)
        browser.values |= values
        browser.check_time()
        return browser.record()

    async def takeScreenshot(self, call: Call) -> Json:
        picture = await devtools.capture(records.find(call.account, call.values).chromium)
        return {"type": "image/png", "image": base64.b64encode(picture).decode()}

    async def startRemoteDesktop(self, call: Call) -> Json:
        records.find(call.account, call.values)
        raise Refusal(409, "DesktopUnavailable", "This deployment has no remote desktops.")

    async def stopRemoteDesktop(self, call: Call) -> Json:
        records.find(call.account, call.values)
        return {"status": 200}

    async def getAccount(self, call: Call) -> Json:
        return call.account.info()

    async def queryAi(self, _: Call) -> Json:
        raise Refusal(503, "ProviderUnavailable", "This deployment has no language model.")
