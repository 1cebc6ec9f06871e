import type { ApiError } from "./api-error.ts";
import type { OperationId } from "./generated/operations.ts";
import type { ConnectionError, TimeoutError } from "./remote-browser-error.ts";
import { IS_IDEMPOTENT, RETRY_RULES } from "./retry-rules.ts";

/** An attempt that did not succeed, by what is known of whether it happened. */
export type Failed =
  /** The service refused it, so it did not happen. */
  | { readonly how: "refused"; readonly error: ApiError }
  /** Something before the service answered; nobody knows. */
  | { readonly how: "answered by others"; readonly error: ApiError }
  /** There was no connection, so it did not happen. */
  | { readonly how: "not sent"; readonly error: ConnectionError }
  /** There was a connection and no TLS on it, which waiting does not mend: a certificate stays what it is. */
  | { readonly how: "not secured"; readonly error: ConnectionError }
  /** It was sent, and no whole answer came; nobody knows. */
  | { readonly how: "lost"; readonly error: ConnectionError | TimeoutError };

const FIRST_MS = 250;

/** What gateways answer when what is behind them may be back in a moment. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * How long to wait before an attempt is repeated.
 * @param repeats How often it has been repeated.
 * @param random From 0 up to 1, so that many clients do not come back at once.
 * @returns Milliseconds; undefined when it must not be repeated.
 */
export function pauseBefore(
  failed: Failed,
  operation: OperationId,
  repeats: number,
  random: number,
): number | undefined {
  const grownMs = FIRST_MS * 2 ** repeats * (1 - random / 2);
  switch (failed.how) {
    case "refused": {
      const { name, retryAfter } = failed.error;
      return ruleOf(name) === "when told" && retryAfter !== null ? retryAfter * 1000 : undefined;
    }
    case "answered by others":
      return IS_IDEMPOTENT[operation] && GATEWAY_STATUSES.includes(failed.error.status) ? grownMs : undefined;
    case "not sent":
      return grownMs;
    case "not secured":
      return undefined;
    case "lost":
      return IS_IDEMPOTENT[operation] ? grownMs : undefined;
  }
}

/** Names that are newer than this package are never tried again. */
function ruleOf(name: string): "never" | "when told" {
  return new Map<string, "never" | "when told">(Object.entries(RETRY_RULES)).get(name) ?? "never";
}
