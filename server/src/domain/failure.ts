import type { FailureName } from "@remote-browser/contract/operations";

export type FailureDetails = {
  readonly cause?: unknown;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterS?: number;
  /** What is wrong where, for `BadRequest`: JSON Pointers in the sender's own spelling. */
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

/** What is behind an error: a failure that a client would see says less. */
export function toCause(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? error) : error;
}
