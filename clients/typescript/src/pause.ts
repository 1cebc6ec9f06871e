import type { ApiError } from "./api-error.ts";
import type { ConnectionError, TimeoutError } from "./remote-browser-error.ts";
import { RETRY_RULES } from "./retry-rules.ts";

/** A failed attempt, by whether the service may have carried it out. */
export type Failed =
  /** The service refused it, so it was not carried out. */
  | { readonly how: "refused"; readonly error: ApiError }
  /** A gateway responded; the service may have carried it out. */
  | { readonly how: "not from the service"; readonly error: ApiError }
  /** The connection failed, so it was not carried out. */
  | { readonly how: "not sent"; readonly error: ConnectionError }
  /** TLS failed, or `fetch` doesn't allow the port. Waiting doesn't help: both stay the same. */
  | { readonly how: "not possible"; readonly error: ConnectionError }
  /** It was sent, but the response is incomplete; the service may have carried it out. */
  | { readonly how: "lost"; readonly error: ConnectionError | TimeoutError };

const FIRST_MS = 250;

/** The statuses of a gateway whose upstream is temporarily unavailable. */
const GATEWAY_STATUSES = [502, 503, 504];

/** Whether the service may have carried the request out. */
export function mayHaveHappened({ how }: Failed): boolean {
  return how === "lost" || how === "not from the service";
}

/**
 * How long to wait before retrying an attempt.
 * @param isRepeatable Whether the request can be repeated even if the service may have carried it out.
 * @param repeats How many retries there have been.
 * @param random From 0 up to 1: jitter, so that many clients don't retry at the same moment.
 * @returns Milliseconds; undefined when the attempt must not be retried.
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

/** An error name that is newer than this package is never retried. */
function ruleOf(name: string): "never" | "with Retry-After" {
  return new Map<string, "never" | "with Retry-After">(Object.entries(RETRY_RULES)).get(name) ?? "never";
}
