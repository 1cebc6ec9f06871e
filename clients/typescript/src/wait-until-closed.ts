import { type Call, type CallOptions, wait } from "./call.ts";
import { TimeoutError } from "./remote-browser-error.ts";
import type { BodyOf } from "./transport.ts";

/** Options for waiting until a browser has ended. */
export interface ClosedOptions extends CallOptions {
  /** Maximum wait in **milliseconds**. Default: no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Less than 30 s, the timeout of many gateways. */
const LONGEST_WAIT_S = 25;

/** Minimum time between requests. A service that is shutting down responds early, while the browser is still open. */
const SHORTEST_ROUND_MS = 1000;

/**
 * Returns the maximum wait of one request, in seconds: well below the timeout for an attempt.
 * @param timeoutMs The timeout for an attempt.
 */
export function longestWaitS(timeoutMs: number): number {
  return Math.min(LONGEST_WAIT_S, timeoutMs / 2000);
}

/**
 * Waits until a browser has ended.
 * @returns The reason why the browser ended.
 * @throws {TimeoutError} If the browser is still open after `timeoutMs`.
 */
export async function waitUntilClosed(
  call: Call,
  longestS: number,
  reference: BodyOf<"waitForBrowser">,
  { timeoutMs = Number.POSITIVE_INFINITY, signal }: ClosedOptions,
): Promise<string> {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const startedAt = performance.now();
    const seconds = Math.max(0, Math.min(longestS, (endsAt - startedAt) / 1000));
    const { state, reason } = await call("waitForBrowser", { ...reference, seconds }, { signal });
    if (state === "closed") return reason ?? "";
    const now = performance.now();
    if (now >= endsAt) throw new TimeoutError(`The browser is still open after ${timeoutMs} ms (\`timeoutMs\`).`);
    const restMs = Math.min(startedAt + SHORTEST_ROUND_MS, endsAt) - now;
    if (restMs > 0) await wait(restMs, signal);
  }
}
