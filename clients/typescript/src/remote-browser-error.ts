/** The base class of errors from failed calls. Invalid arguments and settings throw a `TypeError` instead. */
export class RemoteBrowserError extends Error {
  override readonly name: string = "RemoteBrowserError";
}

/**
 * The connection failed, or was lost before the response was complete. The error's `cause`, if any, is a copy of the
 * error from `fetch` or an automation library, without secrets.
 */
export class ConnectionError extends RemoteBrowserError {
  override readonly name = "ConnectionError";
}

/** An attempt exceeded `timeoutMs`, or a call exceeded `totalTimeoutMs`. */
export class TimeoutError extends RemoteBrowserError {
  override readonly name = "TimeoutError";
}

/** A successful response doesn't match the contract or your schema. */
export class InvalidAnswerError extends RemoteBrowserError {
  override readonly name = "InvalidAnswerError";
}
