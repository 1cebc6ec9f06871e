from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

DEFAULT_URL = "http://127.0.0.1:8080"
DEFAULT_TIMEOUT = 90.0
DEFAULT_TOTAL_TIMEOUT = 300.0
DEFAULT_RETRIES = 2

# About 23 days. Sockets reject longer timeouts.
_LONGEST = 2_000_000

# Headers that the client sets. Another value would corrupt the request, and all calls with the same
# idempotency key would open one browser.
_OWN_HEADERS = frozenset(
    {
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "idempotency-key",
        "transfer-encoding",
    }
)


@dataclass(frozen=True)
class Settings:
    url: str
    token: str = field(repr=False)
    timeout: float
    total_timeout: float
    retries: int
    headers: Mapping[str, str] = field(repr=False)

    @property
    def place(self) -> str:
        """Host and port, for error messages."""
        parts = urlsplit(self.url)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        return f"{host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


def read_settings(
    environment: Mapping[str, str],
    *,
    url: str | None,
    token: str | None,
    timeout: float,
    total_timeout: float,
    retries: int,
    headers: Mapping[str, str] | None,
) -> Settings:
    """Reads the settings from the arguments, or else from the environment.

    Raises:
        ValueError: If a setting is invalid. The message shows its value, but never the token.
    """
    if isinstance(retries, bool) or not isinstance(retries, int) or retries < 0:
        raise ValueError(f"retries must be a whole number, 0 or more, not {retries!r}.")
    return Settings(
        url=_read_url(environment.get("RBS_URL") or DEFAULT_URL if url is None else url),
        token=_read_token(environment.get("RBS_TOKEN") or None if token is None else token),
        timeout=_read_seconds("timeout", timeout),
        total_timeout=_read_seconds("total_timeout", total_timeout),
        retries=retries,
        headers=_read_headers(headers or {}),
    )


def _read_url(text: str) -> str:
    try:
        parts = urlsplit(text)
    except (AttributeError, TypeError, ValueError):
        raise ValueError("The url must be a string such as https://browsers.example/eu.") from None
    # A URL without a host, or with a # in its password, may still contain a password.
    host = text.partition("://")[2].partition("/")[0]
    if "@" in (parts.netloc or text) + host:
        raise ValueError("The url must not contain credentials: pass the token as `token`.")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The url must begin with http:// or https:// and a host, not {text!r}.")
    if re.search(r"[?#\s]", text):
        raise ValueError(f"The url must not contain ?, #, spaces or line breaks, but is {text!r}.")
    try:
        _ = parts.port
    except ValueError:
        raise ValueError(f"The url must name a port from 0 to 65535, not {text!r}.") from None
    return text.rstrip("/")


def _read_token(token: str | None) -> str:
    if token is None:
        raise ValueError("There is no token: pass `token`, or set RBS_TOKEN.")
    # Refuses the trailing newline of a token file.
    if re.fullmatch(r"[\x21-\x7e]+", token) is None:
        raise ValueError("The token must be printable ASCII without spaces, and not empty.")
    return token


def _read_seconds(name: str, seconds: float) -> float:
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds <= _LONGEST:
        raise ValueError(
            f"{name} must be a number of seconds above 0 and up to {_LONGEST}, not {seconds!r:.40}."
        )
    return float(seconds)


def _read_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    for name, value in headers.items():
        if re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) is None:
            raise ValueError(f"{name!r} is not a valid header name.")
        if name.lower() in _OWN_HEADERS:
            raise ValueError(f"The client sets the header {name!r} itself: remove it.")
        if re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value) is None:
            raise ValueError(
                f"The value of the header {name!r} contains a character that headers can't have."
            )
    # The spelling of the client's own headers, which these replace.
    return {name.title(): value for name, value in headers.items()}
