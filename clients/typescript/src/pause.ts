import type { ApiError } from "./api-error.ts";
import type { ConnectionError, TimeoutError } from "./remote-browser-error.ts";
import { RETRY_RULES } from "./retry-rules.ts";

/** A failed attempt, classified by whether the service may have executed it. */
export type Failed =
  /** The service rejected the request without executing it. */
  | { readonly how: "refused"; readonly error: ApiError }
  /** A gateway responded. The service may have executed the request. */
  | { readonly how: "not from the service"; readonly error: ApiError }
  /** The connection failed, so nothing was sent. */
  | { readonly how: "not sent"; readonly error: ConnectionError }
  /** The TLS handshake failed, or `fetch` blocks the port. A retry would fail in the same way. */
  | { readonly how: "not possible"; readonly error: ConnectionError }
  /** The response is incomplete. The service may have executed the request. */
  | { readonly how: "lost"; readonly error: ConnectionError | TimeoutError };

const FIRST_MS = 250;

/** The statuses that a gateway returns while its upstream is temporarily unavailable. */
const GATEWAY_STATUSES = [502, 503, 504];

/** Whether the service may have executed the request. */
export function mayHaveHappened({ how }: Failed): boolean {
  return how === "lost" || how === "not from the service";
}

/**
 * Returns the delay before a retry.
 * @param isRepeatable Whether the request can be repeated even if the service may have executed it.
 * @param repeats The number of retries so far.
 * @param random A random number from 0 up to 1, so that many clients don't retry at the same time.
 * @returns Milliseconds; undefined if the attempt must not be retried.
 */
export function pauseBefore(
  failed: Failed,
  isRepeatable: boolean,
  repeats: number,
  random: number,
): number | undefined {
  const grownMs = FIRST_MS * 2 ** repeats * (1 - random / 2);
  switch (failed.how) {
    case "refused": {
      const { name, retryAfter } = failed.error;
      return ruleOf(name) === "with Retry-After" && retryAfter !== null ? retryAfter * 1000 : undefined;
    }
    case "not from the service":
      return isRepeatable && GATEWAY_STATUSES.includes(failed.error.status) ? grownMs : undefined;
    case "not sent":
      return grownMs;
    case "not possible":
      return undefined;
    case "lost":
      return isRepeatable ? grownMs : undefined;
  }
}

/** Errors with unknown names are never retried. */
function ruleOf(name: string): "never" | "with Retry-After" {
  return new Map<string, "never" | "with Retry-After">(Object.entries(RETRY_RULES)).get(name) ?? "never";
}
