import type { OperationId } from "@remote-browser/contract/operations";

/** What was sent, as it went over the wire but for what HTTP adds. */
export type SentRequest = {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when there was none. */
  readonly body: string | undefined;
};

/** What came back. */
export type Received = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
};

/** One request and its answer. */
export type Exchange = {
  readonly sent: SentRequest;
  readonly received: Received;
  /** The operation that the request was for; undefined when its path or method belongs to none. */
  readonly operation: OperationId | undefined;
  /** When it was sent and when its answer was there, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
};
