import { failureStatus } from "@remote-browser/contract/operations";
import { Failure } from "../domain/failure.ts";

/** Thrown if the caller disconnects before the response. This is not a failure, and no response is sent. */
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

/** Returns the response for a failure. */
export function toErrorResponse({ failure: name, message, retryAfterS, errors }: Failure, requestId: string) {
  const status = failureStatus[name];
  return {
    status,
    headers: {
      ...(name === "AuthorizationError" && { "WWW-Authenticate": "Bearer" }),
      ...(retryAfterS !== undefined && { "Retry-After": String(Math.ceil(retryAfterS)) }),
    },
    // The contract assigns status 0 to "Unknown". HTTP has no such status, so only the body contains it.
    body: {
      status: name === "Unknown" ? 0 : status,
      name,
      message,
      requestId,
      ...(errors !== undefined && { errors }),
    },
  };
}
