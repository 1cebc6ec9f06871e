"""Rendered from the contract by `npm run generate`: change the files in openapi/, not this one."""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Session:
    """One open browser."""

    started_on: datetime
    """When the browser was opened: RFC 3339 in UTC with milliseconds, such as
    `2026-03-14T09:26:53.589Z`.
    """

    label: str | None
    """The label given when the browser was opened; `None` if there was none."""

    address: str = field(repr=False)
    """The address of a browser's DevTools endpoint: `ws://` or `wss://`, the host of the worker
    that runs the browser, its path prefix if it has one, then `/devtools/browser/` and an id of at
    least 128 random bits. The service chooses the id; it is not the one that the browser gives
    itself. No two browsers ever have the same id.

    The address is created once, when the browser opens, and is listed unchanged, byte for byte,
    until the browser closes. It is a secret: anyone who has it can drive the browser.
    """

    vncpass: str | None = field(repr=False)
    """The password for full control of the browser's remote desktop, the same one that
    StartRemoteDesktop returned as `password`; `None` while the desktop is stopped.
    """

    id: str | None = None
    """Identifies a browser in the history, in logs and in questions to the operator. It is not a
    secret: it does not give access to the browser. No two browsers ever have the same id.

    Earlier versions of the service do not send it: it is then `None`.
    """

    browser: int | None = None
    """Which kind of browser it is, as in SupportedBrowser. Later versions may add values.

    Earlier versions of the service do not send it: it is then `None`.
    """

    headless: bool | None = None
    """Whether it runs without a graphical interface.

    Earlier versions of the service do not send it: it is then `None`.
    """

    tags: list[str] | None = None
    """Its tags, in the order in which they were given.

    Earlier versions of the service do not send it: it is then `None`.
    """

    keep_open: float | None = None
    """How many seconds it stays open while no client is connected; `None` if that is not limited. 0
    and values above the maximum lifetime of the account's plan are listed as that maximum.

    Earlier versions of the service do not send it: it is then `None`.
    """

    closes_on: datetime | None = None
    """When it closes if nothing happens before, as `startedOn`: at the end of its inactivity period
    or of its lifetime, whichever comes first. `None` if neither is limited, or if a client is
    connected and the lifetime is not limited.

    Earlier versions of the service do not send it: it is then `None`.
    """

    clients: int | None = None
    """How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old.

    Earlier versions of the service do not send it: it is then `None`.
    """

    desktop: bool | None = None
    """Whether its remote desktop is started.

    Earlier versions of the service do not send it: it is then `None`.
    """


@dataclass(frozen=True)
class BrowserRecord:
    """A browser, open or ended. What does not exist any more when a browser has ended is `None` or
    0.
    """

    id: str
    """Identifies a browser in the history, in logs and in questions to the operator. It is not a
    secret: it does not give access to the browser. No two browsers ever have the same id.
    """

    state: str
    """`open` or `closed`. Later versions may add values."""

    started_on: datetime
    """When the browser was opened: RFC 3339 in UTC with milliseconds, such as
    `2026-03-14T09:26:53.589Z`.
    """

    ended_on: datetime | None
    """When it ended, as `startedOn`; `None` while it is open."""

    reason: str | None
    """Why it ended; `None` while it is open. The values are those of the close reasons:
    `requested`, `exited`, `inactive`, `lifetime`, `shutdown`, `disabled`, `crashed`, `hung` and
    `memory`. It is `lost` if the server was killed while the browser was open. Later versions may
    add values.
    """

    units: int
    """The units that it has consumed so far."""

    bytes_sent: int | None
    """The bytes that it has sent to the network so far; `None` if they were not counted."""

    bytes_received: int | None
    """The bytes that it has received from the network so far; `None` if they were not counted."""

    address: str | None = field(repr=False)
    """Its address while it is open; `None` afterwards."""

    vncpass: str | None = field(repr=False)
    """The password for full control of its remote desktop; `None` while the desktop is stopped."""

    label: str | None
    """Its label; `None` if it has none."""

    tags: list[str]
    """Its tags, in the order in which they were given."""

    browser: int
    """Which kind of browser it is, as in SupportedBrowser. Later versions may add values."""

    headless: bool
    """Whether it runs without a graphical interface."""

    keep_open: float | None
    """How many seconds it stays open while no client is connected; `None` if that is not limited. 0
    and values above the maximum lifetime of the account's plan are listed as that maximum.
    """

    closes_on: datetime | None
    """When it closes if nothing happens before, as `startedOn`; `None` if that is not known, or if
    it has ended.
    """

    clients: int
    """How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old.
    0 if the browser has ended.
    """

    desktop: bool
    """Whether its remote desktop is started."""


@dataclass(frozen=True)
class AccountInfo:
    """The account that the token belongs to, its plan, and what it has used."""

    plan: str | None
    """The name of its plan; `None` if it has no active subscription."""

    parallel: int | None
    """How many browsers may be open in parallel; `None` if only the machine's capacity limits that,
    or without a subscription.
    """

    open: int
    """How many browsers count towards that limit now, including those that are being opened."""

    period: str
    """The month (UTC) that the units belong to, such as `2026-03`."""

    units_used: int
    """The units consumed in this month."""

    units_left: int | None
    """The units of the plan that are left in this month; `None` if the plan does not limit them, or
    without a subscription.
    """

    additional_units: bool
    """Whether browsers may be opened when no units are left."""

    max_lifetime: float | None
    """The maximum lifetime of a browser in seconds; `None` if the plan does not limit it, or
    without a subscription.
    """


@dataclass(frozen=True)
class Screenshot:
    """A picture of what a browser shows."""

    type: str
    """The picture's media type, `image/png` or `image/jpeg`. Later versions may add values."""

    image: bytes = field(repr=False)
    """The picture, encoded in Base64.

    The client decodes it to bytes.
    """
