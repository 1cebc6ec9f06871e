"""Accounts: what their plans allow, and what they have used."""

import json
import math
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from refusals import Json, Refusal

if TYPE_CHECKING:
    from browsers import Browser
    from openings import KeyedOpen

RATE_PERIOD_S = 5


@dataclass(frozen=True)
class Plan:
    """What an account may use. `None` means that the plan does not limit it."""

    name: str
    parallel: int | None = None
    units: int | None = None
    # In seconds. Every plan has a limit, so no browser stays open forever.
    max_lifetime: float = 24 * 3600
    # The requests that an account may send in `RATE_PERIOD_S`.
    rate: int | None = None


@dataclass
class Account:
    """An account, its browsers and its units."""

    plan: Plan | None
    # All browsers that are still recorded, by id, the oldest first.
    browsers: dict[str, "Browser"] = field(default_factory=dict)
    keys: dict[str, "KeyedOpen"] = field(default_factory=dict)
    # How many Open requests are starting a browser, and how many wait for a place.
    opening: int = 0
    waiting: int = 0
    # The units that were used in each month, such as `2026-03`.
    units: Counter[str] = field(default_factory=Counter)
    _requests: int = 0
    _period_ends: float = 0

    def open_browsers(self) -> list["Browser"]:
        return [each for each in self.browsers.values() if each.reason is None]

    def charge(self, units: int) -> None:
        self.units[current_month()] += units

    def count_request(self) -> None:
        """Refuses a request if the account sends too many."""
        limit, now = self.plan.rate if self.plan else None, time.monotonic()
        if now >= self._period_ends:
            self._requests, self._period_ends = 0, now + RATE_PERIOD_S
        self._requests += 1
        if limit is not None and self._requests > limit:
            wait_s = math.ceil(self._period_ends - now)
            message = f"This account may send {limit} requests in {RATE_PERIOD_S} s: try again in {wait_s} s."
            raise Refusal(429, "TooManyRequests", message, Retry_After=str(wait_s))

    def info(self) -> Json:
        plan, month = self.plan, current_month()
        return {
            "plan": plan and plan.name,
            "parallel": plan and plan.parallel,
            "open": self.opening + len(self.open_browsers()),
            "period": month,
            "unitsUsed": self.units[month],
            "unitsLeft": None if plan is None or plan.units is None else max(0, plan.units - self.units[month]),
            "additionalUnits": False,
            "maxLifetime": plan and plan.max_lifetime,
        }


def current_month() -> str:
    return datetime.now(UTC).strftime("%Y-%m")


def read_accounts(file: Path) -> dict[str, Account]:
    """Reads the accounts by their tokens."""
    accounts: list[Json] = list(json.loads(file.read_text()).values())
    return {each["token"]: Account(Plan(**each["plan"]) if each["plan"] else None) for each in accounts}
