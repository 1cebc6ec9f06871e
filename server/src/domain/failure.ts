import type { FailureName } from "@remote-browser/contract/operations";

type FailureDetails = {
  readonly cause?: unknown;
  /** Seconds to wait before trying again. */
  readonly retryAfterS?: number;
  /** Each mistake of a `BadRequest`, with its place as a JSON Pointer in the sender's own spelling. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
};

/** An expected refusal. Its message is shown to the user: what was wrong, with which value, and what to do. */
export class Failure extends Error {
  readonly failure: FailureName;
  readonly retryAfterS: number | undefined;
  readonly errors: FailureDetails["errors"];

  constructor(name: FailureName, message: string, details: FailureDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "Failure";
    this.failure = name;
    this.retryAfterS = details.retryAfterS;
    this.errors = details.errors;
  }
}

/** When to try again, in s: browsers end and start all the time. */
const RETRY_AFTER_S = 5;

/** The contract's names for a service that can't do an operation at this moment. */
export type UnavailableName = Extract<FailureName, "BrowserUnavailable" | "ProviderUnavailable">;

/**
 * A refusal for a temporary reason, with `Retry-After`.
 * @param why A sentence. When to try again is added to it.
 */
export function unavailable(
  why: string,
  details: Pick<FailureDetails, "cause" | "retryAfterS"> & { readonly name?: UnavailableName } = {},
): Failure {
  const { name = "BrowserUnavailable", retryAfterS = RETRY_AFTER_S, cause } = details;
  return new Failure(name, `${why} Try again in ${retryAfterS} s.`, { retryAfterS, cause });
}

/** Whether an error is a failure with one of these names. */
export function isFailure(error: unknown, ...names: readonly FailureName[]): boolean {
  return error instanceof Failure && names.includes(error.failure);
}

/** The cause of an error, which says more than a failure that clients see; the error itself without a cause. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
