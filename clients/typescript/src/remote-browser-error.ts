/**
 * The base class of all errors in this package, except for wrong arguments (`TypeError`) and the caller's own abort.
 */
export class RemoteBrowserError extends Error {
  override readonly name: string = "RemoteBrowserError";
}

/**
 * The connection failed, or was lost before the response was complete. Its `cause`, if any, is a copy of what `fetch`
 * or a library threw, without secrets.
 */
export class ConnectionError extends RemoteBrowserError {
  override readonly name = "ConnectionError";
}

/** The response was not complete within `timeoutMs`, or the call within `totalTimeoutMs`. */
export class TimeoutError extends RemoteBrowserError {
  override readonly name = "TimeoutError";
}

/** The service responded with success, but the response doesn't match the contract or your schema. */
export class InvalidAnswerError extends RemoteBrowserError {
  override readonly name = "InvalidAnswerError";
}
