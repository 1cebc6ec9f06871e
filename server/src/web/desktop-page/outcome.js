/**
 * What became of a connection.
 * @typedef {"refused" | "stopped" | "ended" | "lost"} OutcomeName
 * @typedef {{ readonly name: OutcomeName, readonly detail: string }} Outcome
 */

/** Why a browser has ended, by the last word of the reason that its viewers are told. */
const ENDS = new Map([
  ["requested", "It was closed by a call of the service."],
  ["inactive", "Nobody was connected to it for as long as it was to be kept open."],
  ["lifetime", "It has reached the longest life that its account's plan allows."],
  ["exited", "It has closed itself, as it does with its last window."],
  ["crashed", "It has crashed."],
  ["hung", "It did not answer any more, and was ended."],
  ["shutdown", "The server was stopped."],
]);

const BROWSER_CLOSED = "browser closed: ";

/**
 * @param {{ readonly code: number, readonly reason: string }} close How the WebSocket was closed.
 * @param {boolean} isRefused Whether the screen has refused the password.
 * @returns {Outcome}
 */
export function toOutcome({ code, reason }, isRefused) {
  if (isRefused || (code === 1008 && reason === "wrong password")) return { name: "refused", detail: "" };
  if (reason === "desktop stopped") return { name: "stopped", detail: "" };
  if (reason.startsWith(BROWSER_CLOSED)) {
    const why = reason.slice(BROWSER_CLOSED.length);
    return { name: "ended", detail: ENDS.get(why) ?? `The reason given is “${why}”.` };
  }
  return { name: "lost", detail: reason };
}

/** How long after a loss each attempt to connect again is made, in ms; past the last one it is up to the person. */
export const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];
