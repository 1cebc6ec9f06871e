/**
 * Why a browser ended. `exited`: a client closed it with CDP's `Browser.close`, or a viewer with its menu. `lost`: the
 * server was killed while the store listed the browser as open. `disabled`: its account was disabled or deleted.
 * `memory`: it exceeded its memory limit, or had the most processes when all browsers together had too many.
 */
export type EndReason =
  | "requested"
  | "inactive"
  | "lifetime"
  | "exited"
  | "crashed"
  | "hung"
  | "memory"
  | "shutdown"
  | "disabled"
  | "lost";

/** The WebSocket close code and reason that clients receive when their browser ends. */
export type CloseNotice = { readonly code: number; readonly reason: string };

// RFC 6455 section 7.4.1: normal closure, going away, internal error.
const CODES: Record<EndReason, number> = {
  requested: 1000,
  inactive: 1000,
  lifetime: 1000,
  exited: 1000,
  crashed: 1011,
  hung: 1011,
  memory: 1011,
  shutdown: 1001,
  // RFC 6455 section 7.4.1: policy violation.
  disabled: 1008,
  lost: 1011,
};

/** How each reason is worded for users. */
export const END_WORDS: Readonly<Record<EndReason, string>> = {
  requested: "Closed on request",
  inactive: "No client was connected",
  lifetime: "The plan's maximum lifetime was reached",
  exited: "Closed by the client",
  crashed: "The browser crashed",
  hung: "The browser stopped responding",
  memory: "The browser used more memory or processes than allowed",
  shutdown: "The server shut down",
  disabled: "The account was disabled",
  lost: "The server stopped unexpectedly",
};

export function toCloseNotice(reason: EndReason): CloseNotice {
  return { code: CODES[reason], reason: `browser closed: ${reason}` };
}
