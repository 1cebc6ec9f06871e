import type { ErrorName } from "./generated/errors.ts";
import type { OperationId } from "./generated/operations.ts";

/** For each error of the contract: whether to retry the call if the response has `Retry-After`. */
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

/** Whether an operation is idempotent, and so can be retried even if the service may have carried it out. */
export const IS_IDEMPOTENT: Readonly<Record<OperationId, boolean>> = {
  // With an `Idempotency-Key` and contract version 1.1, it can also be retried.
  openBrowser: false,
  closeBrowser: true,
  getBrowsers: true,
  getBrowserInfo: true,
  getBrowserHistory: true,
  waitForBrowser: true,
  // The new values are absolute, so a repetition changes nothing.
  updateBrowser: true,
  closeAllBrowsers: true,
  takeScreenshot: true,
  startRemoteDesktop: true,
  stopRemoteDesktop: true,
  getAccount: true,
  queryAi: false,
};
