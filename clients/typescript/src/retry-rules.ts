import type { ErrorName } from "./generated/errors.ts";
import type { OperationId } from "./generated/operations.ts";

/** Whether a refusal may be tried again: never, or when the answer tells after how many seconds. */
export const RETRY_RULES: Readonly<Record<ErrorName, "never" | "when told">> = {
  BadRequest: "never",
  AuthorizationError: "never",
  NoSubscription: "never",
  NoUnits: "never",
  BrowserLimit: "never",
  BrowserNotFound: "never",
  NotFound: "never",
  MethodNotAllowed: "never",
  DesktopUnavailable: "never",
  PayloadTooLarge: "never",
  UnsupportedMediaType: "never",
  ResponseRefused: "never",
  TooManyRequests: "when told",
  Unknown: "never",
  ProviderError: "never",
  // A kind that is not installed comes without Retry-After.
  BrowserUnavailable: "when told",
  ProviderUnavailable: "when told",
};

/** Whether carrying out an operation twice is the same as once, so that one that may have happened is repeated. */
export const IS_IDEMPOTENT: Readonly<Record<OperationId, boolean>> = {
  openBrowser: false,
  closeBrowser: true,
  getBrowsers: true,
  startRemoteDesktop: true,
  stopRemoteDesktop: true,
  queryAi: false,
};
