"""Rendered from the contract by `npm run generate`: change the files in openapi/, not this one."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import TypeAdapter
from typing_extensions import TypeGuard

from remote_browser._generated.core import BadRequestProblem
from remote_browser.errors import ApiError

__all__ = [
    "ErrorName",
    "BadRequestError",
    "AuthorizationError",
    "NoSubscriptionError",
    "NoUnitsError",
    "BrowserLimitError",
    "BrowserNotFoundError",
    "NotFoundError",
    "MethodNotAllowedError",
    "DesktopUnavailableError",
    "IdempotencyKeyInUseError",
    "PayloadTooLargeError",
    "UnsupportedMediaTypeError",
    "IdempotencyKeyReusedError",
    "ResponseRefusedError",
    "TooManyRequestsError",
    "UnknownError",
    "ProviderError",
    "BrowserUnavailableError",
    "ProviderUnavailableError",
]

ErrorName = Literal[
    "BadRequest",
    "AuthorizationError",
    "NoSubscription",
    "NoUnits",
    "BrowserLimit",
    "BrowserNotFound",
    "NotFound",
    "MethodNotAllowed",
    "DesktopUnavailable",
    "IdempotencyKeyInUse",
    "PayloadTooLarge",
    "UnsupportedMediaType",
    "IdempotencyKeyReused",
    "ResponseRefused",
    "TooManyRequests",
    "Unknown",
    "ProviderError",
    "BrowserUnavailable",
    "ProviderUnavailable",
]
"""Every name that an error of the service can have."""


class BadRequestError(ApiError):
    """The request does not match the contract.

    HTTP status 400, name "BadRequest".
    """

    @property
    def errors(self) -> list[BadRequestProblem]:
        """Each thing that is wrong, and where."""
        return self._read("errors", TypeAdapter(list[BadRequestProblem]), [])


class AuthorizationError(ApiError):
    """The token is missing or incorrect.

    HTTP status 401, name "AuthorizationError".
    """


class NoSubscriptionError(ApiError):
    """The account has no active subscription.

    HTTP status 402, name "NoSubscription".
    """


class NoUnitsError(ApiError):
    """All units of this month have been consumed.

    HTTP status 403, name "NoUnits".
    """


class BrowserLimitError(ApiError):
    """The subscription does not allow more browsers in parallel.

    HTTP status 404, name "BrowserLimit".
    """


class BrowserNotFoundError(ApiError):
    """No open browser of this account has that address.

    HTTP status 404, name "BrowserNotFound".
    """


class NotFoundError(ApiError):
    """There is nothing at this path. No operation lists this response, because the request did not
    reach one.

    HTTP status 404, name "NotFound".
    """


class MethodNotAllowedError(ApiError):
    """The path exists, but does not support this method. No operation lists this response, because
    the request did not reach one.

    HTTP status 405, name "MethodNotAllowed".
    """


class DesktopUnavailableError(ApiError):
    """The browser has no screen that a remote desktop could show.

    HTTP status 409, name "DesktopUnavailable".
    """


class IdempotencyKeyInUseError(ApiError):
    """The first request with the `Idempotency-Key` is still in progress.

    HTTP status 409, name "IdempotencyKeyInUse".
    """


class PayloadTooLargeError(ApiError):
    """The body is larger than the operation accepts.

    HTTP status 413, name "PayloadTooLarge".
    """


class UnsupportedMediaTypeError(ApiError):
    """The body is declared as something other than JSON.

    HTTP status 415, name "UnsupportedMediaType".
    """


class IdempotencyKeyReusedError(ApiError):
    """The `Idempotency-Key` belongs to a request with other options.

    HTTP status 422, name "IdempotencyKeyReused".
    """


class ResponseRefusedError(ApiError):
    """The language model declined to answer.

    HTTP status 422, name "ResponseRefused".
    """


class TooManyRequestsError(ApiError):
    """Requests arrive faster than the operator allows.

    HTTP status 429, name "TooManyRequests".
    """


class UnknownError(ApiError):
    """Something unexpected went wrong. The HTTP status is 500, while `status` is 0.

    HTTP status 500, name "Unknown".
    """


class ProviderError(ApiError):
    """The language-model provider failed, or its result stayed invalid.

    HTTP status 502, name "ProviderError".
    """


class BrowserUnavailableError(ApiError):
    """This deployment cannot open such a browser, or cannot open it now.

    HTTP status 503, name "BrowserUnavailable".
    """


class ProviderUnavailableError(ApiError):
    """The language-model provider cannot be used at the moment.

    HTTP status 503, name "ProviderUnavailable".
    """


ERRORS: Final[Mapping[ErrorName, type[ApiError]]] = {
    "BadRequest": BadRequestError,
    "AuthorizationError": AuthorizationError,
    "NoSubscription": NoSubscriptionError,
    "NoUnits": NoUnitsError,
    "BrowserLimit": BrowserLimitError,
    "BrowserNotFound": BrowserNotFoundError,
    "NotFound": NotFoundError,
    "MethodNotAllowed": MethodNotAllowedError,
    "DesktopUnavailable": DesktopUnavailableError,
    "IdempotencyKeyInUse": IdempotencyKeyInUseError,
    "PayloadTooLarge": PayloadTooLargeError,
    "UnsupportedMediaType": UnsupportedMediaTypeError,
    "IdempotencyKeyReused": IdempotencyKeyReusedError,
    "ResponseRefused": ResponseRefusedError,
    "TooManyRequests": TooManyRequestsError,
    "Unknown": UnknownError,
    "ProviderError": ProviderError,
    "BrowserUnavailable": BrowserUnavailableError,
    "ProviderUnavailable": ProviderUnavailableError,
}
"""The class of each name."""


def is_error_name(name: str) -> TypeGuard[ErrorName]:
    """Whether this client knows an error of that name."""
    return name in ERRORS
