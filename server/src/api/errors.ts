import { failureStatus, type FailureName } from "@remote-browser/contract/operations";
import { Failure } from "../domain/failure.ts";

/** An error response. */
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

/** The caller disconnected before the response. This is not a failure, and no response is sent. */
export class CallerGone extends Error {
  override readonly name = "CallerGone";
}

/** Converts unexpected errors to `Unknown`, without details. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("Unknown", "Something unexpected went wrong in the server: send this requestId to the operator.", {
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
    // The contract gives "Unknown" the status 0, which HTTP doesn't have, so only the body contains it.
    body: {
      status: name === "Unknown" ? 0 : status,
      name,
      message,
      requestId,
      ...(errors === undefined ? {} : { errors }),
    },
  };
}
