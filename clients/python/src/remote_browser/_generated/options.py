"""Rendered from the contract by `npm run generate`: change the files in openapi/, not this one."""

from pydantic import AwareDatetime, ConfigDict, with_config
from typing_extensions import NotRequired, TypedDict

from remote_browser._generated.core import SupportedBrowser


@with_config(ConfigDict(extra="forbid", strict=True))
class Proxy(TypedDict):
    """A proxy of your own; `Host` and `Port` are required. Its credentials stay with the service:
    they do not appear on a command line or in a log.

    `host` (str): Name or address of the proxy.

    `port` (str): The proxy's port, from 1 to 65535, as a string of digits.

    `username` (str): User name for the proxy, of at most 1,024 characters. By default, the service
    sends the proxy no credentials.

    `password` (str): Password for the proxy, of at most 1,024 characters. By default, it is empty.
    """

    host: str
    """Name or address of the proxy. It may begin with `http://`, which is the default, `https://`
    or `socks5://`; any other scheme is a `BadRequestError`, except `socks5h://`, which means the
    same as `socks5://`. It has 1 to 262 characters, including the scheme. `Port` has the port.

    A name consists of ASCII letters, digits, `-` and `_`, in labels separated by dots, and may end
    with a dot. An IPv6 address may be in brackets. Anything else, such as credentials, a port or a
    path, is a `BadRequestError`.
    """

    port: str
    """The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a
    `BadRequestError`.
    """

    username: NotRequired[str | None]
    """User name for the proxy, of at most 1,024 characters. By default, the service sends the proxy
    no credentials.
    """

    password: NotRequired[str | None]
    """Password for the proxy, of at most 1,024 characters. By default, it is empty. A password
    without a user name is a `BadRequestError`.
    """


@with_config(ConfigDict(extra="forbid", strict=True))
class Screen(TypedDict):
    """The size of the browser's first page: its `innerWidth`, `innerHeight` and `devicePixelRatio`.
    `Width` and `Height` are required. The screen that the page sees can be larger: `screen.height`
    includes the frame of a graphical browser, with its tabs and address bar. A size that this kind
    of browser can't have, such as one with too many device pixels, is a `BadRequestError`.

    `width` (int): Width in CSS pixels, from 200 to 3840.

    `height` (int): Height in CSS pixels, from 200 to 2160.

    `scale` (float): Device pixels per CSS pixel, from 0.5 to 3. The default is 1.
    """

    width: int
    """Width in CSS pixels, from 200 to 3840."""

    height: int
    """Height in CSS pixels, from 200 to 2160."""

    scale: NotRequired[float | None]
    """Device pixels per CSS pixel, from 0.5 to 3. The default is 1."""


@with_config(ConfigDict(extra="forbid", strict=True))
class OpenOptions(TypedDict):
    """The options of Open. Every option may be omitted or `None`, which means the same.

    `args` (list[str]): Arguments for the browser's command line. By default, the browser gets only
    the service's own.

    `ignored_default_args` (list[str]): Default arguments that the service leaves out when it starts
    the browser, by the names of their switches. By default, the browser gets all of them.

    `headless` (bool): Whether the browser runs without a graphical interface. The default is
    `False`: the browser has a screen, which a remote desktop can show.

    `stealth` (bool): Whether the browser hides that a program controls it: no automation switch,
    and a user agent, language and time zone that are consistent. The default is `True`.

    `browser` (SupportedBrowser.Chrome, SupportedBrowser.Chromium,
    SupportedBrowser.ChromeHeadlessShell): Which kind of browser to open. The default is Chromium
    (2).

    `keep_open` (float): How many seconds the browser stays open while no client is connected. The
    default is 30.

    `proxy` (Proxy): The proxy for the browser's traffic. By default, the service assigns one of its
    own when the browser opens; if it has none, the browser connects directly.

    `label` (str): A name by which you recognize the browser in the list. By default, the browser
    has no label, and the list shows `None`.

    `tags` (list[str]): Words by which you find browsers, such as the name of a job: at most 20,
    each of 1 to 128 characters. By default, the browser has no tags.

    `lifetime` (float): How many seconds after its opening the browser is closed, even if clients
    are connected. By default, it is the maximum lifetime of the account's plan.

    `wait_for_place` (float): How many seconds the request may take if it has to wait, because the
    account has reached its parallel limit or the machine is full. By default, and with 0, the
    request is refused immediately.

    `screen` (Screen): The size of the browser's first page, in all kinds of browsers. By default,
    it depends on the deployment.

    `language` (str): The language of the browser: what sites see in `Accept-Language`,
    `navigator.language` and the formats of `Intl`. The default is `en-US`.

    `time_zone` (str): The time zone of the browser, by its name in the IANA time zone database,
    such as `Europe/Berlin`. The default is `UTC`.
    """

    args: NotRequired[list[str] | None]
    """Arguments for the browser's command line. They are added to the service's default arguments,
    and a switch that is also a default replaces that default. By default, the browser gets only the
    service's own. At most 100, each of 1 to 4,096 characters.

    Switches are allowed by name, and each deployment has its own list. Every list contains
    `--window-size`, `--force-device-scale-factor`, `--lang`, `--time-zone-for-testing`,
    `--user-agent`, `--hide-scrollbars`, `--mute-audio`, `--disable-gpu`, `--disable-extensions`,
    `--disable-notifications`, `--disable-features`, `--disable-blink-features` and
    `--no-first-run`. Some that many scripts contain and that would only weaken the browser's
    protection, such as `--no-sandbox` and `--disable-dev-shm-usage`, are accepted but have no
    effect. Switches that run programs, open files, move ports or proxies, and switches that are not
    in the list, are a `BadRequestError` that names them.
    """

    ignored_default_args: NotRequired[list[str] | None]
    """Default arguments that the service leaves out when it starts the browser, by the names of
    their switches. By default, the browser gets all of them. At most 100, each of 1 to 4,096
    characters. A default that protects the machine or its other users cannot be removed: naming one
    is a `BadRequestError`. A name that is not a default has no effect.
    """

    headless: NotRequired[bool | None]
    """Whether the browser runs without a graphical interface. The default is `False`: the browser
    has a screen, which a remote desktop can show. ChromeHeadlessShell is always headless.
    """

    stealth: NotRequired[bool | None]
    """Whether the browser hides that a program controls it: no automation switch, and a user agent,
    language and time zone that are consistent. The default is `True`. Some sites can still detect
    automation.
    """

    browser: NotRequired[SupportedBrowser | None]
    """Which kind of browser to open. The default is Chromium (2). For a kind that this deployment
    does not have, the response is 503 `BrowserUnavailableError`.
    """

    keep_open: NotRequired[float | None]
    """How many seconds the browser stays open while no client is connected. The default is 30.
    Fractions are allowed. The period starts when the browser opens and whenever its last client or
    desktop viewer disconnects; while one is connected, the period does not run. A negative number
    is a `BadRequestError`.

    0, and every value above the maximum lifetime of the account's plan, mean that maximum. On a
    plan without a maximum lifetime, 0 means that the browser stays open until it is closed.
    """

    proxy: NotRequired[Proxy | None]
    """The proxy for the browser's traffic. By default, the service assigns one of its own when the
    browser opens; if it has none, the browser connects directly.
    """

    label: NotRequired[str | None]
    """A name by which you recognize the browser in the list. It does not have to be unique. It has
    at most 256 characters, counted as Unicode code points, and is listed as it was sent. By
    default, the browser has no label, and the list shows `None`.
    """

    tags: NotRequired[list[str] | None]
    """Words by which you find browsers, such as the name of a job: at most 20, each of 1 to 128
    characters. They are listed as they were sent. By default, the browser has no tags.
    """

    lifetime: NotRequired[float | None]
    """How many seconds after its opening the browser is closed, even if clients are connected. By
    default, it is the maximum lifetime of the account's plan. Fractions are allowed. 0, and every
    value above that maximum, mean the maximum. A negative number is a `BadRequestError`.
    """

    wait_for_place: NotRequired[float | None]
    """How many seconds the request may take if it has to wait, because the account has reached its
    parallel limit or the machine is full. Waiting and starting the browser count together.
    Fractions are allowed, and the maximum is 45. By default, and with 0, the request is refused
    immediately.
    """

    screen: NotRequired[Screen | None]
    """The size of the browser's first page, in all kinds of browsers. By default, it depends on the
    deployment. A size or scale that an argument contradicts is a `BadRequestError`.
    """

    language: NotRequired[str | None]
    """The language of the browser: what sites see in `Accept-Language`, `navigator.language` and
    the formats of `Intl`. It is a BCP 47 language tag, such as `de-DE`. The default is `en-US`. A
    language that an argument contradicts is a `BadRequestError`.
    """

    time_zone: NotRequired[str | None]
    """The time zone of the browser, by its name in the IANA time zone database, such as
    `Europe/Berlin`. The default is `UTC`. A time zone that an argument contradicts is a
    `BadRequestError`.
    """


@with_config(ConfigDict(extra="forbid", strict=True))
class UpdateOptions(TypedDict):
    """The new values of a browser. A value that is omitted or `None` stays as it is. Without any
    new value, the call fails with `BadRequestError`.

    `keep_open` (float): The inactivity period in seconds, as the option `KeepOpen` of Open. A
    running period gets the new length.

    `lifetime` (float): The lifetime in seconds, counted from the opening, as the option `Lifetime`
    of Open. A browser that is older is closed.

    `label` (str): The label, as the option `Label` of Open.

    `tags` (list[str]): All tags, as the option `Tags` of Open. They replace the former ones.
    """

    keep_open: NotRequired[float | None]
    """The inactivity period in seconds, as the option `KeepOpen` of Open. A running period gets the
    new length.
    """

    lifetime: NotRequired[float | None]
    """The lifetime in seconds, counted from the opening, as the option `Lifetime` of Open. A
    browser that is older is closed.
    """

    label: NotRequired[str | None]
    """The label, as the option `Label` of Open."""

    tags: NotRequired[list[str] | None]
    """All tags, as the option `Tags` of Open. They replace the former ones."""


@with_config(ConfigDict(extra="forbid", strict=True))
class HistoryOptions(TypedDict):
    """Which browsers in the history to list. Every member may be omitted or `None`, which means the
    same.

    `since` (datetime): Only browsers that were open at this moment or later: a date and time by RFC
    3339. Other text is a `BadRequestError`.

    `until` (datetime): Only browsers that were opened before this moment, as `since`.

    `label` (str): Only browsers with this label.

    `tag` (str): Only browsers that have this tag.
    """

    since: NotRequired[AwareDatetime | None]
    """Only browsers that were open at this moment or later: a date and time by RFC 3339. Other text
    is a `BadRequestError`.
    """

    until: NotRequired[AwareDatetime | None]
    """Only browsers that were opened before this moment, as `since`."""

    label: NotRequired[str | None]
    """Only browsers with this label."""

    tag: NotRequired[str | None]
    """Only browsers that have this tag."""
