import type { OperationId } from "@remote-browser/contract/operations";

/** A request, without the headers that the HTTP client adds. */
export type SentRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the request has no body. */
  readonly body: string | undefined;
};

/** The response. */
export type Received = {
  readonly status: number;
  /** Header values by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body of a successful response that isn't declared as JSON. */
  readonly bytes?: Buffer;
  /** The body parsed as JSON, or undefined if the body isn't valid JSON. */
  readonly json: unknown;
};

/** A request and its response. */
export type Exchange = {
  readonly sent: SentRequest;
  readonly received: Received;
  /** The requested operation. Undefined if no operation has this path and method, or if the preview is missing. */
  readonly operation: OperationId | undefined;
  /** When the request was sent and when the response was complete, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
};
