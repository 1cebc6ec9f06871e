import type { FailureName } from "@remote-browser/contract/operations";

type FailureDetails = {
  readonly cause?: unknown;
  /** Seconds to wait before trying again. */
  readonly retryAfterS?: number;
  /** The mistakes in a `BadRequest`, each with a JSON Pointer spelled as in the request. */
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
};

/** An expected error. Its message tells the user what was wrong, which value was wrong, and what to do. */
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

/**
 * Returns a `BadRequest` with one mistake.
 * @param subject The text that precedes `message`, such as the member's name.
 */
export function badRequest(path: string, subject: string, message: string): Failure {
  return new Failure("BadRequest", `${subject} ${message}.`, { errors: [{ path, message }] });
}

/** The default retry time, which is short because browsers constantly open and close. */
const RETRY_AFTER_S = 5;

/** The contract's names for a temporarily unavailable service. */
export type UnavailableName = Extract<FailureName, "BrowserUnavailable" | "ProviderUnavailable">;

/** Returns a temporary failure with `Retry-After`. @param why A sentence, to which the retry time is appended. */
export function unavailable(
  why: string,
  details: Pick<FailureDetails, "cause" | "retryAfterS"> & { readonly name?: UnavailableName } = {},
): Failure {
  const { name = "BrowserUnavailable", retryAfterS = RETRY_AFTER_S, cause } = details;
  return new Failure(name, `${why} Try again in ${retryAfterS} s.`, { retryAfterS, cause });
}

export function isFailure(error: unknown, ...names: readonly FailureName[]): boolean {
  return error instanceof Failure && names.includes(error.failure);
}

/** Returns an error's cause if it has one (more detailed than the failure shown to clients), or else the error. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
