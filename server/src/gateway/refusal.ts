import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { After } from "./limits.ts";

/** Why an upgrade was not made, in the words of the contract's error body. */
export type UpgradeRefusal = {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  /** Headers that belong to this answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly cause?: unknown;
};

/** A refusal as it goes out: everything but the headers that frame the message. */
export type RenderedRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Answers an upgrade request with plain HTTP and closes; a peer that keeps the connection is cut after `graceMs`. */
export function answerRefusal(client: Socket, refusal: RenderedRefusal, after: After, graceMs: number): void {
  const body = Buffer.from(refusal.body);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    "Connection: close",
    "\r\n",
  ].join("\r\n");
  client.end(Buffer.concat([Buffer.from(head, "latin1"), body]));
  // What the client still sends is read and dropped: closing with unread bytes would reset the connection under the answer.
  client.resume();
  client.once("end", () => client.destroySoon());
  const cancel = after(graceMs, () => client.destroy());
  client.once("close", cancel);
}
