"""The browsers of an account, open and ended: how requests find them, and their history."""

import base64
import json
import math
import re
import time
from contextlib import suppress

from accounts import Account
from browsers import Browser, to_text
from contract import parse_moment
from openings import KEPT_S
from refusals import Json, Problem, Refusal, refuse_if_any

ADDRESS = re.compile(r"/devtools/browser/([A-Za-z0-9_-]+)(?:[?#]|$)")


def not_found() -> Refusal:
    return Refusal(404, "BrowserNotFound", "No open browser has this address or id: list them with Get.")


def find(account: Account, reference: Json, *, is_ended_found: bool = False) -> Browser:
    """Finds a browser of the account by its `address` or its `id`."""
    refuse_if_any(reference_problems(reference))
    if "id" in reference:
        found = account.browsers.get(reference["id"])
    else:
        match = ADDRESS.search(reference["address"])
        found = next((each for each in account.browsers.values() if match and each.secret == match[1]), None)
    if found is None or not (found.reason is None or is_ended_found):
        raise not_found()
    return found


def reference_problems(reference: Json) -> list[Problem]:
    if "address" in reference and "id" in reference:
        return [Problem("/id", "can't be sent together with address")]
    return [] if "address" in reference or "id" in reference else [Problem("/address", "is required, or id")]


def history(account: Account, wanted: Json) -> Json:
    """Lists a part of the account's browsers, as they were when the first part was requested."""
    moment, start = read_cursor(wanted["cursor"]) if "cursor" in wanted else (time.time(), 0)
    limit = wanted.get("limit", 100)
    known = [each for each in account.browsers.values() if each.started_on <= moment and is_wanted(each, wanted)]

    def order(browser: Browser) -> tuple[bool, float]:
        was_open = browser.ended_on is None or browser.ended_on > moment
        return was_open, browser.started_on if was_open else browser.ended_on or 0

    known.sort(key=order, reverse=True)
    is_last = len(known) <= start + limit
    return {
        "browsers": [each.record() for each in known[start : start + limit]],
        "next": None if is_last else write_cursor(moment, start + limit),
        "keptSince": to_text(time.time() - KEPT_S),
    }


def is_wanted(browser: Browser, wanted: Json) -> bool:
    """Whether a browser is one that a request for the history asks for."""
    return (
        ("since" not in wanted or (browser.ended_on or math.inf) >= parse_moment(wanted["since"]))
        and ("until" not in wanted or browser.started_on < parse_moment(wanted["until"]))
        and ("label" not in wanted or browser.values["label"] == wanted["label"])
        and ("tag" not in wanted or wanted["tag"] in browser.values["tags"])
    )


def write_cursor(moment: float, start: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([moment, start]).encode()).decode()


def read_cursor(cursor: str) -> tuple[float, int]:
    with suppress(ValueError):
        match json.loads(base64.urlsafe_b64decode(cursor)):
            case [float(moment), int(start)] if start > 0:
                return moment, start
    refuse_if_any([Problem("/cursor", "is not a cursor of this deployment")])
    raise AssertionError
