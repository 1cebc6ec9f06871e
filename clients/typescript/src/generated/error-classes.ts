// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.

import type { ApiError, ApiErrorFacts } from "../api-error.ts";
import {
  type ErrorName,
  BadRequestError,
  AuthorizationError,
  NoSubscriptionError,
  NoUnitsError,
  BrowserLimitError,
  BrowserNotFoundError,
  NotFoundError,
  MethodNotAllowedError,
  DesktopUnavailableError,
  IdempotencyKeyInUseError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  IdempotencyKeyReusedError,
  ResponseRefusedError,
  TooManyRequestsError,
  UnknownError,
  ProviderError,
  BrowserUnavailableError,
  ProviderUnavailableError,
} from "./errors.ts";

/** The class of each name. */
export const ERROR_CLASSES: ReadonlyMap<string, new (facts: ApiErrorFacts) => ApiError> = new Map<ErrorName, new (facts: ApiErrorFacts) => ApiError>([
  ["BadRequest", BadRequestError],
  ["AuthorizationError", AuthorizationError],
  ["NoSubscription", NoSubscriptionError],
  ["NoUnits", NoUnitsError],
  ["BrowserLimit", BrowserLimitError],
  ["BrowserNotFound", BrowserNotFoundError],
  ["NotFound", NotFoundError],
  ["MethodNotAllowed", MethodNotAllowedError],
  ["DesktopUnavailable", DesktopUnavailableError],
  ["IdempotencyKeyInUse", IdempotencyKeyInUseError],
  ["PayloadTooLarge", PayloadTooLargeError],
  ["UnsupportedMediaType", UnsupportedMediaTypeError],
  ["IdempotencyKeyReused", IdempotencyKeyReusedError],
  ["ResponseRefused", ResponseRefusedError],
  ["TooManyRequests", TooManyRequestsError],
  ["Unknown", UnknownError],
  ["ProviderError", ProviderError],
  ["BrowserUnavailable", BrowserUnavailableError],
  ["ProviderUnavailable", ProviderUnavailableError],
]);
