/**
 * How a connection ended.
 * @typedef {"refused" | "stopped" | "ended" | "lost"} OutcomeName
 * @typedef {{ readonly name: OutcomeName, readonly detail: string }} Outcome
 */

/** Explanations of why a browser closed, keyed by the last word of the WebSocket's close reason. */
const ENDS = new Map([
  ["requested", "The browser was closed by a request."],
  ["inactive", "No client was connected for the time set with KeepOpen."],
  ["lifetime", "The browser reached the maximum lifetime of the account's plan."],
  ["exited", "The browser was closed by a client or a viewer."],
  ["crashed", "It crashed."],
  ["hung", "The browser stopped responding and was closed."],
  ["shutdown", "The server was stopped."],
  ["disabled", "The browser's account was disabled or deleted."],
]);

const BROWSER_CLOSED = "browser closed: ";

/**
 * @param {{ readonly code: number, readonly reason: string }} close How the WebSocket was closed.
 * @param {boolean} isRefused Whether the VNC server rejected the password.
 * @returns {Outcome}
 */
export function toOutcome({ code, reason }, isRefused) {
  if (isRefused || (code === 1008 && reason === "wrong password")) return { name: "refused", detail: "" };
  if (reason === "desktop stopped") return { name: "stopped", detail: "" };
  if (reason.startsWith(BROWSER_CLOSED)) {
    const why = reason.slice(BROWSER_CLOSED.length);
    return { name: "ended", detail: ENDS.get(why) ?? `Reason: ${why}.` };
  }
  return { name: "lost", detail: reason };
}

/** Delays before the attempts to reconnect, in ms. After the last attempt, the user has to reconnect manually. */
export const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
