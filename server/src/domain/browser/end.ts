/**
 * Why a browser ended. `exited`: it left by itself, as after CDP's `Browser.close`. `lost`: the server died with it,
 * and the next start found it in the books. `disabled`: its account was, or was deleted.
 */
export type EndReason =
  | "requested"
  | "inactive"
  | "lifetime"
  | "exited"
  | "crashed"
  | "hung"
  | "shutdown"
  | "disabled"
  | "lost";

/** How a browser's end is told to its DevTools clients: a WebSocket close code and a reason. */
export type CloseNotice = { readonly code: number; readonly reason: string };

// RFC 6455 section 7.4.1: normal closure, going away, internal error.
const CODES: Record<EndReason, number> = {
  requested: 1000,
  inactive: 1000,
  lifetime: 1000,
  exited: 1000,
  crashed: 1011,
  hung: 1011,
  shutdown: 1001,
  // RFC 6455 section 7.4.1: a policy is violated.
  disabled: 1008,
  lost: 1011,
};

/** For people: what each reason means, in the one place where it is said. */
export const END_WORDS: Readonly<Record<EndReason, string>> = {
  requested: "Closed on request",
  inactive: "Nobody was connected",
  lifetime: "The plan's longest life was over",
  exited: "The browser quit by itself",
  crashed: "The browser crashed",
  hung: "The browser no longer answered",
  shutdown: "The server was shut down",
  disabled: "The account was disabled",
  lost: "The server failed, and the browser with it",
};

export function toCloseNotice(reason: EndReason): CloseNotice {
  return { code: CODES[reason], reason: `browser closed: ${reason}` };
}
