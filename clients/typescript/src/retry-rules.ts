import type { ErrorName } from "./generated/errors.ts";
import type { OperationId } from "./generated/operations.ts";

/** Whether to retry a call if the error response has `Retry-After`, for each error in the contract. */
export const RETRY_RULES: Readonly<Record<ErrorName, "never" | "with Retry-After">> = {
  BadRequest: "never",
  AuthorizationError: "never",
  NoSubscription: "never",
  NoUnits: "never",
  BrowserLimit: "never",
  BrowserNotFound: "never",
  NotFound: "never",
  MethodNotAllowed: "never",
  DesktopUnavailable: "never",
  IdempotencyKeyInUse: "with Retry-After",
  PayloadTooLarge: "never",
  UnsupportedMediaType: "never",
  ResponseRefused: "never",
  IdempotencyKeyReused: "never",
  TooManyRequests: "with Retry-After",
  Unknown: "never",
  ProviderError: "never",
  // If the requested browser is not installed, the response has no Retry-After.
  BrowserUnavailable: "with Retry-After",
  ProviderUnavailable: "with Retry-After",
};

/** Whether an operation is idempotent, so that it can be retried even if the service may have executed it. */
export const IS_IDEMPOTENT: Readonly<Record<OperationId, boolean>> = {
  // With an `Idempotency-Key` and contract version 1.1, an Open request can also be retried.
  openBrowser: false,
  closeBrowser: true,
  getBrowsers: true,
  getBrowserInfo: true,
  getBrowserHistory: true,
  waitForBrowser: true,
  // The new values are absolute, so repeating an update changes nothing.
  updateBrowser: true,
  closeAllBrowsers: true,
  takeScreenshot: true,
  takeScreenshotImage: true,
  startRemoteDesktop: true,
  stopRemoteDesktop: true,
  getAccount: true,
  queryAi: false,
};
