import { failureStatus } from "@remote-browser/contract/operations";
import { Failure } from "../domain/failure.ts";

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

/** Returns the response to a failure. */
export function toRefusal({ failure: name, message, retryAfterS, errors }: Failure, requestId: string) {
  const status = failureStatus[name];
  return {
    status,
    headers: {
      ...(name === "AuthorizationError" && { "WWW-Authenticate": "Bearer" }),
      ...(retryAfterS !== undefined && { "Retry-After": String(Math.ceil(retryAfterS)) }),
    },
    // The contract gives "Unknown" the status 0, which HTTP doesn't have, so only the body contains it.
    body: {
      status: name === "Unknown" ? 0 : status,
      name,
      message,
      requestId,
      ...(errors !== undefined && { errors }),
    },
  };
}
