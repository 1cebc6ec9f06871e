// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

import { ApiError, type ApiErrorFacts } from "../api-error.ts";
import type { components } from "./types.ts";

/** Every name that an error of the service can have. */
export type ErrorName =
  | "BadRequest"
  | "AuthorizationError"
  | "NoSubscription"
  | "NoUnits"
  | "BrowserLimit"
  | "BrowserNotFound"
  | "NotFound"
  | "MethodNotAllowed"
  | "DesktopUnavailable"
  | "IdempotencyKeyInUse"
  | "PayloadTooLarge"
  | "UnsupportedMediaType"
  | "IdempotencyKeyReused"
  | "ResponseRefused"
  | "TooManyRequests"
  | "Unknown"
  | "ProviderError"
  | "BrowserUnavailable"
  | "ProviderUnavailable";

/**
 * The request does not match the contract.
 *
 * HTTP status 400, name `BadRequest`.
 */
export class BadRequestError extends ApiError {
  declare readonly status: 400;
  declare readonly name: "BadRequest";
  /** Each thing that is wrong, and where. */
  readonly errors: Readonly<components["schemas"]["BadRequestError"]["errors"]>;

  constructor(facts: ApiErrorFacts) {
    super(facts);
    this.errors = (Array.isArray(facts.members["errors"]) ? facts.members["errors"] : []) as BadRequestError["errors"];
  }
}

/**
 * The token is missing or incorrect.
 *
 * HTTP status 401, name `AuthorizationError`.
 */
export class AuthorizationError extends ApiError {
  declare readonly status: 401;
  declare readonly name: "AuthorizationError";
}

/**
 * The account has no active subscription.
 *
 * HTTP status 402, name `NoSubscription`.
 */
export class NoSubscriptionError extends ApiError {
  declare readonly status: 402;
  declare readonly name: "NoSubscription";
}

/**
 * All units of this month have been consumed.
 *
 * HTTP status 403, name `NoUnits`.
 */
export class NoUnitsError extends ApiError {
  declare readonly status: 403;
  declare readonly name: "NoUnits";
}

/**
 * The subscription does not allow more browsers in parallel.
 *
 * HTTP status 404, name `BrowserLimit`.
 */
export class BrowserLimitError extends ApiError {
  declare readonly status: 404;
  declare readonly name: "BrowserLimit";
}

/**
 * No open browser of this account has that address.
 *
 * HTTP status 404, name `BrowserNotFound`.
 */
export class BrowserNotFoundError extends ApiError {
  declare readonly status: 404;
  declare readonly name: "BrowserNotFound";
}

/**
 * There is nothing at this path. No operation lists this response, because the request did not reach one.
 *
 * HTTP status 404, name `NotFound`.
 */
export class NotFoundError extends ApiError {
  declare readonly status: 404;
  declare readonly name: "NotFound";
}

/**
 * The path exists, but does not support this method. No operation lists this response, because the request did not reach one.
 *
 * HTTP status 405, name `MethodNotAllowed`.
 */
export class MethodNotAllowedError extends ApiError {
  declare readonly status: 405;
  declare readonly name: "MethodNotAllowed";
}

/**
 * The browser has no screen that a remote desktop could show.
 *
 * HTTP status 409, name `DesktopUnavailable`.
 */
export class DesktopUnavailableError extends ApiError {
  declare readonly status: 409;
  declare readonly name: "DesktopUnavailable";
}

/**
 * The first request with the `Idempotency-Key` is still in progress.
 *
 * HTTP status 409, name `IdempotencyKeyInUse`.
 */
export class IdempotencyKeyInUseError extends ApiError {
  declare readonly status: 409;
  declare readonly name: "IdempotencyKeyInUse";
}

/**
 * The body is larger than the operation accepts.
 *
 * HTTP status 413, name `PayloadTooLarge`.
 */
export class PayloadTooLargeError extends ApiError {
  declare readonly status: 413;
  declare readonly name: "PayloadTooLarge";
}

/**
 * The body is declared as something other than JSON.
 *
 * HTTP status 415, name `UnsupportedMediaType`.
 */
export class UnsupportedMediaTypeError extends ApiError {
  declare readonly status: 415;
  declare readonly name: "UnsupportedMediaType";
}

/**
 * The `Idempotency-Key` belongs to a request with other options.
 *
 * HTTP status 422, name `IdempotencyKeyReused`.
 */
export class IdempotencyKeyReusedError extends ApiError {
  declare readonly status: 422;
  declare readonly name: "IdempotencyKeyReused";
}

/**
 * The language model declined to answer.
 *
 * HTTP status 422, name `ResponseRefused`.
 */
export class ResponseRefusedError extends ApiError {
  declare readonly status: 422;
  declare readonly name: "ResponseRefused";
}

/**
 * Requests arrive faster than the operator allows.
 *
 * HTTP status 429, name `TooManyRequests`.
 */
export class TooManyRequestsError extends ApiError {
  declare readonly status: 429;
  declare readonly name: "TooManyRequests";
}

/**
 * Something unexpected went wrong. The HTTP status is 500, while `status` is 0.
 *
 * HTTP status 500, name `Unknown`.
 */
export class UnknownError extends ApiError {
  declare readonly status: 500;
  declare readonly name: "Unknown";
}

/**
 * The language-model provider failed, or its result stayed invalid.
 *
 * HTTP status 502, name `ProviderError`.
 */
export class ProviderError extends ApiError {
  declare readonly status: 502;
  declare readonly name: "ProviderError";
}

/**
 * This deployment cannot open such a browser, or cannot open it now.
 *
 * HTTP status 503, name `BrowserUnavailable`.
 */
export class BrowserUnavailableError extends ApiError {
  declare readonly status: 503;
  declare readonly name: "BrowserUnavailable";
}

/**
 * The language-model provider cannot be used at the moment.
 *
 * HTTP status 503, name `ProviderUnavailable`.
 */
export class ProviderUnavailableError extends ApiError {
  declare readonly status: 503;
  declare readonly name: "ProviderUnavailable";
}
