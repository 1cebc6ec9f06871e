"""The options of Open: their defaults, and what the contract's schemas can't say about them."""

import re
from ipaddress import IPv6Address
from zoneinfo import available_timezones

from refusals import Json, Problem, refuse_if_any

CHROMIUM = 2
HEADLESS_SHELL = 3

DEFAULTS: Json = {
    **{"Browser": CHROMIUM, "Headless": False, "Stealth": True, "KeepOpen": 30, "Lifetime": 0, "WaitForPlace": 0},
    **{"Label": None, "Tags": [], "Proxy": None, "Screen": None, "Args": [], "IgnoredDefaultArgs": []},
    **{"Language": "en-US", "TimeZone": "UTC"},
}
PROXY_DEFAULTS: Json = {"Username": "", "Password": ""}
SCREEN_DEFAULTS: Json = {"Scale": 1}

LIST = r"[\w,:/<.]+"
LANGUAGE = r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
TIME_ZONES = available_timezones()

# The switches that `Args` may contain, and the form of their values. The contract guarantees all of them.
ALLOWED = {
    "--disable-blink-features": LIST,
    "--disable-extensions": "",
    "--disable-features": LIST,
    "--disable-gpu": "",
    "--disable-notifications": "",
    "--force-device-scale-factor": r"\d(\.\d{1,4})?",
    "--hide-scrollbars": "",
    "--lang": LANGUAGE,
    "--mute-audio": "",
    "--no-first-run": "",
    "--time-zone-for-testing": "|".join(map(re.escape, TIME_ZONES)),
    "--user-agent": r"[ -~]{1,1024}",
    "--window-size": r"\d{1,4},\d{1,4}",
    # Without effect, because they would only weaken the browser's protection.
    **dict.fromkeys(("--disable-dev-shm-usage", "--disable-setuid-sandbox", "--no-sandbox"), ".*"),
}
WITHOUT_EFFECT = {name for name, form in ALLOWED.items() if form == ".*"}
# Defaults that clients can't remove.
PROTECTING = {"--headless", "--proxy-bypass-list", "--proxy-server", "--remote-debugging-port", "--user-data-dir"}

PROXY_HOST = re.compile(r"(?:(?:(https?)|(socks5)h?)://)?(?:([\w-]+(?:\.[\w-]+)*\.?)|(\[.*\]|[^\[\]]*))", re.ASCII)
# SOCKS has one byte for the length of each.
MAX_SOCKS_CREDENTIAL = 255


def with_defaults(values: Json) -> Json:
    """Adds the defaults of options that the request omits."""
    options = DEFAULTS | values
    for name, defaults in {"Proxy": PROXY_DEFAULTS, "Screen": SCREEN_DEFAULTS}.items():
        options[name] = options[name] and defaults | options[name]
    return options


def complete(sent: Json, values: Json) -> Json:
    """Returns all options, with `Args` as switches and their values.

    `sent` is the request's body, and `values` has its values by the names in the contract. Raises a `BadRequest` for
    arguments that are not allowed, options that contradict them, and values that mean nothing.
    """
    problems: list[Problem] = []
    options = with_defaults(values)
    switches = _read_switches(sent, options["Args"], problems)
    for at, name in enumerate(options["IgnoredDefaultArgs"]):
        if name_of(name) in PROTECTING:
            path = f"{pointer(sent, 'IgnoredDefaultArgs')}/{at}"
            problems.append(Problem(path, f"must not be {name}, which protects the machine"))

    def choose(value: str | None, switch: str, *names: str) -> str | None:
        """Chooses between an option and the switch for the same thing, which must agree."""
        given = switches.pop(switch, None)
        if value is not None and given is not None and _as_number(given) != _as_number(value):
            message = f"is {value}, but the argument {switch}={given} says something else: send one of them"
            problems.append(Problem(pointer(sent, *names), message))
        return given if value is None else value

    screen = values.get("Screen", {})
    size = f"{screen['Width']},{screen['Height']}" if screen else None
    options["Language"] = choose(values.get("Language"), "--lang", "Language") or "en-US"
    options["TimeZone"] = choose(values.get("TimeZone"), "--time-zone-for-testing", "TimeZone") or "UTC"
    sizes = {
        "--window-size": choose(size, "--window-size", "Screen"),
        "--force-device-scale-factor": choose(screen.get("Scale"), "--force-device-scale-factor", "Screen", "Scale"),
    }
    options["Args"] = switches | {name: value for name, value in sizes.items() if value is not None}
    if not re.fullmatch(LANGUAGE, options["Language"]):
        problems.append(Problem(pointer(sent, "Language"), "must be a language tag, such as de-DE"))
    if options["TimeZone"] not in TIME_ZONES:
        problems.append(Problem(pointer(sent, "TimeZone"), "must be an IANA name, such as Europe/Berlin"))
    if options["Proxy"] is not None:
        problems += _check_proxy(sent, options["Proxy"])
    refuse_if_any(problems)
    return options


def _read_switches(sent: Json, arguments: list[str], problems: list[Problem]) -> Json:
    """Returns the values of the switches by name. If a switch is repeated, the last value counts."""
    switches = {}
    for at, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if not is_allowed(name, value):
            message = f"must not be {name} with this value: allowed are {', '.join(ALLOWED)}"
            problems.append(Problem(f"{pointer(sent, 'Args')}/{at}", message))
        elif name not in WITHOUT_EFFECT:
            switches[name] = value
    return switches


def is_allowed(name: str, value: str) -> bool:
    return name in ALLOWED and re.fullmatch(ALLOWED[name], value) is not None


def _check_proxy(sent: Json, proxy: Json) -> list[Problem]:
    """Checks a proxy, and adds `Scheme` and `Name`, the two parts of its host."""
    match = PROXY_HOST.fullmatch(proxy["Host"])
    if match is None or not (match[3] or _is_ip6(match[4].strip("[]"))):
        return [Problem(pointer(sent, "Proxy", "Host"), "must be a host, with http://, https:// or socks5://")]
    proxy["Scheme"], proxy["Name"] = match[1] or match[2] or "http", match[3] or f"[{match[4].strip('[]')}]"
    if proxy["Password"] and not proxy["Username"]:
        return [Problem(pointer(sent, "Proxy", "Password"), "needs a user name")]
    return [
        Problem(pointer(sent, "Proxy", name), f"must have at most {MAX_SOCKS_CREDENTIAL} bytes for this kind of proxy")
        for name in ("Username", "Password")
        if proxy["Scheme"] == "socks5" and len(proxy[name].encode()) > MAX_SOCKS_CREDENTIAL
    ]


def _is_ip6(text: str) -> bool:
    try:
        return IPv6Address(text).scope_id is None
    except ValueError:
        return False


def name_of(switch: str) -> str:
    return switch.partition("=")[0]


def _as_number(text: str | float) -> str | float:
    """Returns a number if the text is one, because 2 and 2.0 are the same scale."""
    try:
        return float(text)
    except ValueError:
        return text


def pointer(sent: Json, *names: str) -> str:
    """Returns the JSON Pointer to a value in a request, in the request's own spelling."""
    path = ""
    for name in names:
        alias = name[0].lower() + name[1:]
        spelling = alias if sent.get(name) is None and alias in sent else name
        path, sent = f"{path}/{spelling}", sent.get(spelling, {})
    return path
