"""Rendered from openapi.yaml by `npm run generate`: change that file, not this one."""

from pydantic import ConfigDict, with_config
from typing_extensions import NotRequired, TypedDict

from remote_browser._generated import SupportedBrowser


@with_config(ConfigDict(extra="forbid", strict=True))
class Proxy(TypedDict):
    """A proxy of your own; `Host` and `Port` have to be given. Its credentials stay with the
    service: they appear on no command line and in no log.

    `host` (str): Name or address of the proxy.

    `port` (str): The proxy's port, from 1 to 65535, as a string of digits.

    `username` (str): User name for the proxy, of 1,024 characters at most. Left out, the proxy is
    used without credentials.

    `password` (str): Password for the proxy, of 1,024 characters at most. Left out beside a user
    name, it is empty; without a user name, it is a `BadRequestError`.
    """

    host: str
    """Name or address of the proxy. It may begin with `http://`, which is meant when nothing is
    said, `https://` or `socks5://`; any other scheme is a `BadRequestError`. With it, it has 1 to
    262 characters. The port has a member of its own.
    """

    port: str
    """The proxy's port, from 1 to 65535, as a string of digits. A JSON number is a
    `BadRequestError`.
    """

    username: NotRequired[str | None]
    """User name for the proxy, of 1,024 characters at most. Left out, the proxy is used without
    credentials.
    """

    password: NotRequired[str | None]
    """Password for the proxy, of 1,024 characters at most. Left out beside a user name, it is
    empty; without a user name, it is a `BadRequestError`.
    """


@with_config(ConfigDict(extra="forbid", strict=True))
class OpenOptions(TypedDict):
    """What Open is asked for. Every option may be left out or `None`, which means the same.

    `args` (list[str]): Arguments for the browser's command line. Left out, the browser gets the
    defaults alone.

    `ignored_default_args` (list[str]): Default arguments that the browser is to be started without,
    by the names of their switches. Left out, it gets all of them.

    `headless` (bool): Whether the browser runs without a graphical interface. Left out, it is
    `False`: the browser has a screen, which a remote desktop can show.

    `stealth` (bool): Whether the browser hides, as far as its service honestly can, that a program
    drives it: no automation switch, and a user agent, language and time zone that fit together.
    Left out, it is `True`.

    `browser` (SupportedBrowser.Chrome, SupportedBrowser.Chromium,
    SupportedBrowser.ChromeHeadlessShell): Which kind of browser to open. Left out, it is Chromium
    (2).

    `keep_open` (float): For how many seconds the browser stays open while nobody is connected to
    it. Left out, it is 30.

    `proxy` (Proxy): The proxy that the browser's traffic leaves through. Left out, the service
    assigns one of its own when the browser opens, and if it has none, the traffic leaves directly.

    `label` (str): A name by which you recognise the browser in the list. Left out, the browser has
    none, and the list shows `None`.
    """

    args: NotRequired[list[str] | None]
    """Arguments for the browser's command line. They are added to the service's default arguments,
    and a switch that stands among the defaults as well takes the default's place. Left out, the
    browser gets the defaults alone. There may be 100 at most, each of 1 to 4,096 characters.

    Switches are allowed by name; `docs/arguments` lists them. Some that stand in many copied
    scripts and would only loosen the browser's protection, such as `--no-sandbox` and
    `--disable-dev-shm-usage`, are accepted but have no effect. Switches that run programs, open
    files, move ports or proxies, and switches that are not in the list, are a `BadRequestError`
    that names them.
    """

    ignored_default_args: NotRequired[list[str] | None]
    """Default arguments that the browser is to be started without, by the names of their switches.
    Left out, it gets all of them. There may be 100 at most, each of 1 to 4,096 characters. A
    default that protects the machine or its other users cannot be removed: naming one is a
    `BadRequestError`.
    """

    headless: NotRequired[bool | None]
    """Whether the browser runs without a graphical interface. Left out, it is `False`: the browser
    has a screen, which a remote desktop can show. ChromeHeadlessShell is headless whatever is said
    here.
    """

    stealth: NotRequired[bool | None]
    """Whether the browser hides, as far as its service honestly can, that a program drives it: no
    automation switch, and a user agent, language and time zone that fit together. Left out, it is
    `True`. It is no promise that no site can tell.
    """

    browser: NotRequired[SupportedBrowser | None]
    """Which kind of browser to open. Left out, it is Chromium (2). A kind that this deployment does
    not have is answered with 503 `BrowserUnavailableError`.
    """

    keep_open: NotRequired[float | None]
    """For how many seconds the browser stays open while nobody is connected to it. Left out, it is
    30. Fractions are allowed. The period starts when the browser opens and whenever its last client
    or desktop viewer leaves; as long as one is connected, nothing is counted. A negative number is
    a `BadRequestError`.

    0, and every value above the maximum lifetime of the account's plan, count as that maximum. On a
    plan without one, 0 means that the browser stays open until it is closed.
    """

    proxy: NotRequired[Proxy | None]
    """The proxy that the browser's traffic leaves through. Left out, the service assigns one of its
    own when the browser opens, and if it has none, the traffic leaves directly.
    """

    label: NotRequired[str | None]
    """A name by which you recognise the browser in the list. It does not have to be unique. It has
    at most 256 characters, counted as Unicode code points, and is listed as it was sent. Left out,
    the browser has none, and the list shows `None`.
    """
