from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin, urlsplit

from pydantic import ValidationError

from remote_browser._generated.errors import ERRORS, is_error_name
from remote_browser._redact import excerpt, without_secrets
from remote_browser._settings import Settings
from remote_browser.errors import ApiError

_PROBLEMS = 3


def read_failure(
    status: int, headers: Mapping[str, str], data: bytes, settings: Settings
) -> ApiError:
    """Returns the error for a response. It never shows the token or an address."""
    text = data.decode("utf-8", "replace")
    retry_after = _read_seconds(headers.get("Retry-After"))
    request_id = without_secrets(headers.get("X-Request-Id", ""), settings.token)
    members = _read_object(text, settings.token)
    name = _read_text(members, "name")
    if not name:
        message = _describe_foreign(status, headers.get("Location"), text, settings)
        return ApiError(status, "", message, request_id, retry_after)
    kind = ERRORS[name] if is_error_name(name) else ApiError
    message = _read_text(members, "message")
    request_id = _read_text(members, "requestId") or request_id
    return kind(status, name, message, request_id, retry_after, members)


def describe_misfit(error: Exception, token: str) -> str:
    """Names the invalid members of a response, without quoting values, which may be secrets."""
    if not isinstance(error, ValidationError):
        return "it is not JSON" if isinstance(error, ValueError) else "it has the wrong shape"
    # Some of pydantic's messages quote the value.
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    shown = [
        f"{'.'.join(map(str, each['loc'])) or 'it'} ({each['type']})"
        for each in problems[:_PROBLEMS]
    ]
    if len(problems) > _PROBLEMS:
        shown.append(f"and {len(problems) - _PROBLEMS} more")
    return excerpt(", ".join(shown), token)


def _describe_foreign(status: int, location: str | None, text: str, settings: Settings) -> str:
    """Describes a response that isn't from the service."""
    if 300 <= status < 400 and location is not None:
        origin = excerpt(_origin_of(location, settings.url), settings.token)
        return (
            f"The response redirects to {origin}, and redirects are not followed: "
            "set url to the service's own URL."
        )
    shown = excerpt(text, settings.token) or "it is empty"
    return f"The response isn't from the service and may be from a gateway: {shown}"


def _origin_of(location: str, url: str) -> str:
    try:
        parts = urlsplit(urljoin(url, location))
    except ValueError:
        return "an invalid URL"
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _read_object(text: str, token: str) -> Mapping[str, Any]:
    """Returns the members of a JSON object, or an empty dictionary for any other text."""
    try:
        value = _hide_within(json.loads(text), token)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _hide_within(value: Any, token: str) -> Any:
    if isinstance(value, str):
        return without_secrets(value, token)
    if isinstance(value, list):
        return [_hide_within(each, token) for each in value]
    if isinstance(value, dict):
        return {
            without_secrets(name, token): _hide_within(each, token) for name, each in value.items()
        }
    return value


def _read_text(members: Mapping[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _read_seconds(text: str | None) -> float | None:
    # Only gateways send a date, which is ignored.
    return float(text) if text is not None and text.isascii() and text.isdigit() else None
