import type { OperationId } from "@remote-browser/contract/operations";

/** The request without the headers that the HTTP client adds. */
export type SentRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined means no body. */
  readonly body: string | undefined;
};

/** The response. */
export type Received = {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON. Undefined if it is not JSON. */
  readonly json: unknown;
};

/** A request and its response. */
export type Exchange = {
  readonly sent: SentRequest;
  readonly received: Received;
  /** The operation of the request. Undefined if its path or method belongs to none. */
  readonly operation: OperationId | undefined;
  /** When the request was sent and when the response was complete, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
};
