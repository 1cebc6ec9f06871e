/** The root of everything that this package throws, but for wrong arguments (`TypeError`) and a caller's own abort. */
export class RemoteBrowserError extends Error {
  override readonly name: string = "RemoteBrowserError";
}

/** No connection could be made, or it was lost before the whole answer came. Its `cause` is what `fetch` or a library threw, if it says more, without secrets. */
export class ConnectionError extends RemoteBrowserError {
  override readonly name = "ConnectionError";
}

/** The answer did not come whole in time: within `timeoutMs`, or the call within `totalTimeoutMs`. */
export class TimeoutError extends RemoteBrowserError {
  override readonly name = "TimeoutError";
}

/** The service answered with success, but not what the contract, or the wanted schema, says. */
export class InvalidAnswerError extends RemoteBrowserError {
  override readonly name = "InvalidAnswerError";
}
