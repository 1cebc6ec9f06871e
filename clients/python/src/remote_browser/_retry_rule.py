from __future__ import annotations

from typing import Literal

from typing_extensions import assert_never

from remote_browser._generated.errors import ErrorName

RetryRule = Literal["never", "with Retry-After"]


def retry_rule_of(name: ErrorName) -> RetryRule:
    """Returns whether to retry a call that failed with an error of the contract."""
    match name:
        case (
            "TooManyRequests" | "BrowserUnavailable" | "ProviderUnavailable" | "IdempotencyKeyInUse"
        ):
            return "with Retry-After"
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
            | "IdempotencyKeyReused"
            | "Unknown"
            | "ProviderError"
        ):
            return "never"
        case _:
            # Type checking fails until a new name of the contract is added above.
            assert_never(name)
