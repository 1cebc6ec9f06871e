export type { AccountInfo } from "./account-info.ts";
export { ApiError } from "./api-error.ts";
export type { BrowserHandle, Desktop } from "./browser-handle.ts";
export type { BrowserRecord } from "./browser-record.ts";
export type { CallOptions, OpenCallOptions } from "./call.ts";
export { RemoteBrowserClient, type Selection } from "./client.ts";
export * from "./generated/errors.ts";
export type {
  HistoryOptions,
  OpenOptions,
  ProxyOptions,
  ScreenOptions,
  SupportedBrowser,
  UpdateOptions,
} from "./generated/options.ts";
export { ConnectionError, InvalidAnswerError, RemoteBrowserError, TimeoutError } from "./remote-browser-error.ts";
export type { RemoteBrowser } from "./remote-browser.ts";
export type { JsonSchema, TypedSchema } from "./result-format.ts";
export type { Screenshot } from "./screenshot.ts";
export type { Session } from "./session.ts";
export type { ClientSettings } from "./settings.ts";
export type { ClosedOptions } from "./wait-until-closed.ts";
