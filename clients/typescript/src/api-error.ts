import { RemoteBrowserError } from "./remote-browser-error.ts";

/** The contents of an error response. */
export type ApiErrorFacts = {
  readonly status: number;
  readonly name: string;
  /** The message without the name, status and request id, which the constructor adds. */
  readonly message: string;
  readonly requestId: string;
  readonly retryAfter: number | null;
  /** All members of the body, including members that only one error has. */
  readonly members: Readonly<Record<string, unknown>>;
};

/**
 * Thrown when the service rejects a request. Each error name in the contract has a subclass. The client throws a plain
 * `ApiError` for a name that this version doesn't include, and for a response that isn't from the service, such as a
 * gateway's error page.
 */
export class ApiError extends RemoteBrowserError {
  /** The HTTP status. */
  readonly status: number;
  /** The error's name in the contract; empty if the response isn't from the service. */
  override readonly name: string;
  /** The request id in the server's log; empty if the response doesn't include it. */
  readonly requestId: string;
  /** The delay before a retry, in **seconds**; null if the response doesn't specify one. */
  readonly retryAfter: number | null;

  constructor({ status, name, message, requestId, retryAfter }: ApiErrorFacts) {
    const facts = [name, `HTTP ${status}`, requestId === "" ? "" : `request ${requestId}`].filter(
      (fact) => fact !== "",
    );
    super(`${message} (${facts.join(", ")})`.trimStart());
    this.status = status;
    this.name = name;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}
