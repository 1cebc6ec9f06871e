"""Checks that browsers are listed after Open, can be closed once, and are gone afterwards."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field
from typing import Any

from .notes import Notes
from .safe_open import SHORTEST_S
from .service import Service

OPEN = "POST /api/v1/Browser/Open"
CLOSE = "POST /api/v1/Browser/Close"
GET = "GET /api/v1/Browser/Get"
START = "POST /api/v1/Browser/StartRemoteDesktop"
STOP = "POST /api/v1/Browser/StopRemoteDesktop"

ID = re.compile(r"/devtools/browser/([A-Za-z0-9_-]+)")
# Older browsers may have closed for inactivity.
YOUNG_S = SHORTEST_S - 5

# Expected statuses for a browser that is open and headless, and for one that was closed.
OF_OPEN = {CLOSE: 200, START: 409, STOP: 200}
OF_CLOSED = 404
# This status says nothing about a browser.
TOO_MANY = 429


@dataclass
class Browser:
    address: str
    is_headless: bool
    opened_at: float = field(default_factory=time.monotonic)
    is_closed: bool = False

    @property
    def is_surely_open(self) -> bool:
        return not self.is_closed and time.monotonic() - self.opened_at < YOUNG_S


class Lifecycle:
    """Tracks every opened browser. A complaint is `(expected, seen)`. None means that the response is correct."""

    def __init__(self, service: Service, notes: Notes, at_once: int) -> None:
        self._service = service
        self._notes = notes
        self._at_once = at_once
        self._browsers: dict[str, Browser] = {}

    def make_place(self) -> None:
        """Closes the oldest browsers, so that one more can be opened."""
        still_open = [each for each in self._browsers.values() if not each.is_closed]
        for each in still_open[: len(still_open) + 1 - self._at_once]:
            self._end(each)

    def knows(self, address: str) -> bool:
        return _id_of(address) in self._browsers

    def opened(self, address: str, options: dict[str, Any], is_needed_later: bool) -> tuple[str, str] | None:
        """@param is_needed_later Whether later steps need the browser. Otherwise it is closed immediately."""
        browser = Browser(address, options.get("Headless") is True)
        self._browsers[_id_of(address)] = browser
        complaint = self._find_listed(browser, options.get("Label"))
        return complaint if is_needed_later else complaint or self._end(browser)

    def answered(self, operation: str, address: str, status: int) -> tuple[str, str] | None:
        browser = self._browsers.get(_id_of(address))
        if browser is None or operation not in OF_OPEN or status not in {200, 404, 409}:
            return None
        was_open, was_closed = browser.is_surely_open, browser.is_closed
        if operation == CLOSE and status == 200:
            self._mark_closed(browser)
        # A faulty server may open a browser with invalid options. If Headless is not true, it may have a desktop.
        is_sure = browser.is_headless or operation != START
        if was_open and is_sure and status != OF_OPEN[operation]:
            return f"{OF_OPEN[operation]} for an open browser", f"{status} from {operation}"
        if was_closed and status != OF_CLOSED:
            return f"{OF_CLOSED} for a closed browser", f"{status} from {operation}"
        return self._find_listed(browser) if was_open else None

    def listed(self, sessions: object) -> tuple[str, str] | None:
        if not isinstance(sessions, list):
            return None
        addresses = {each.get("address") for each in sessions if isinstance(each, dict)}
        for browser in self._browsers.values():
            complaint = _judge_listing(browser, browser.address in addresses)
            if complaint is not None:
                return complaint
        return None

    def _find_listed(self, browser: Browser, label: object = None) -> tuple[str, str] | None:
        listed = self._service.listed()
        if listed is None:
            return None
        entry: dict[str, Any] | None = listed.get(browser.address)
        complaint = _judge_listing(browser, entry is not None)
        if complaint is not None or entry is None or label is None or entry.get("label") == label:
            return complaint
        return "the label passed to Open in the list", "a different one"

    def _end(self, browser: Browser) -> tuple[str, str] | None:
        status = self._service.close(browser.address)
        # Check the age after the request, which may have waited longer than the browser stays open.
        was_open = browser.is_surely_open
        if status in {200, 404}:
            self._mark_closed(browser)
        if not was_open or status == TOO_MANY:
            return None
        if status != 200:
            return "Close to answer 200 for a browser that is open", str(status)
        complaint = self._find_listed(browser)
        again = self._service.close(browser.address)
        if complaint is None and again not in {OF_CLOSED, TOO_MANY}:
            return f"Close to answer {OF_CLOSED} when it is called again", str(again)
        return complaint

    def _mark_closed(self, browser: Browser) -> None:
        browser.is_closed = True
        self._notes.closed(browser.address)


def _judge_listing(browser: Browser, is_listed: bool) -> tuple[str, str] | None:
    if is_listed and browser.is_closed:
        return "a closed browser not to be listed", "the browser in the list"
    if not is_listed and browser.is_surely_open:
        return "an open browser to be listed", "a list without the browser"
    return None


def _id_of(address: str) -> str:
    match = ID.search(address)
    return match[1] if match else address
