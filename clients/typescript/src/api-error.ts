import { RemoteBrowserError } from "./remote-browser-error.ts";

/** What an answer with an error says. */
export type ApiErrorFacts = {
  readonly status: number;
  readonly name: string;
  /** Without the name, the status and the request's id, which are added. */
  readonly message: string;
  readonly requestId: string;
  readonly retryAfter: number | null;
  /** All members of the body. */
  readonly members: Readonly<Record<string, unknown>>;
};

/**
 * The service refused a request. Each name of the contract has a class of its own; this one alone are names that are
 * newer than this package, and answers that are not the service's, such as a gateway's page.
 */
export class ApiError extends RemoteBrowserError {
  /** The HTTP status. */
  readonly status: number;
  /** The error's name in the contract; empty when the answer is not the service's. */
  override readonly name: string;
  /** Tells the operator which request it was; empty when the answer does not say. */
  readonly requestId: string;
  /** After how many **seconds** trying again makes sense; null when the answer does not say. */
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
