from __future__ import annotations

from typing import Literal

from typing_extensions import assert_never

from remote_browser._generated.errors import ErrorName

RetryRule = Literal["never", "when told"]


def retry_rule_of(name: ErrorName) -> RetryRule:
    """Whether waiting can help against an error: `when told` is with `Retry-After` only."""
    match name:
        case "TooManyRequests" | "BrowserUnavailable" | "ProviderUnavailable":
            return "when told"
        case (
            "BadRequest"
            | "AuthorizationError"
            | "NoSubscription"
            | "NoUnits"
            | "BrowserLimit"
            | "BrowserNotFound"
            | "NotFound"
            | "MethodNotAllowed"
            | "DesktopUnavailable"
            | "PayloadTooLarge"
            | "UnsupportedMediaType"
            | "ResponseRefused"
            | "Unknown"
            | "ProviderError"
        ):
            return "never"
        case _:
            # A name that the contract has gained does not type-check until it stands above.
            assert_never(name)
