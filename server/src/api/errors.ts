import { failureStatus, type FailureName } from "@remote-browser/contract/operations";
import { Failure } from "../domain/failure.ts";

/** An answer that refuses, ready to be written to a client in whatever way it is connected. */
export type Refusal = {
  readonly status: (typeof failureStatus)[FailureName];
  readonly headers: Record<string, string>;
  readonly body: {
    readonly status: number;
    readonly name: FailureName;
    readonly message: string;
    readonly requestId: string;
    readonly errors?: Failure["errors"];
  };
};

/** The caller left before the answer: there is nobody to tell, and nothing has failed. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}

/** The failure in an error; everything that nobody expected is `Unknown` and tells nothing of itself. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("Unknown", "Something unexpected went wrong here: tell the operator the requestId.", {
    cause: error,
  });
}

export function toRefusal(failure: Failure, requestId: string): Refusal {
  const { failure: name, message, errors } = failure;
  const status = failureStatus[name];
  return {
    status,
    headers: {
      ...(name === "AuthorizationError" ? { "WWW-Authenticate": "Bearer" } : {}),
      ...(failure.retryAfterS === undefined ? {} : { "Retry-After": String(Math.ceil(failure.retryAfterS)) }),
    },
    // The source gives "Unknown" the status 0, which HTTP does not have: it stands in the body only.
    body: {
      status: name === "Unknown" ? 0 : status,
      name,
      message,
      requestId,
      ...(errors === undefined ? {} : { errors }),
    },
  };
}
