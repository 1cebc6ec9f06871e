import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../ports/clock.ts";

/** The reason for refusing an upgrade, as in the contract's error body. */
export type UpgradeRefusal = {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log only. */
  readonly cause?: unknown;
};

/** The route of a refused upgrade. */
export type Refused = { readonly is: "refused"; readonly refusal: UpgradeRefusal };

export function refuse(refusal: UpgradeRefusal): Refused {
  return { is: "refused", refusal };
}

/** A refusal that is ready to be sent, without `Content-Length` and `Connection`. */
export type RenderedRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Renders a refused upgrade with the same body and headers as every other refusal. */
export function renderUpgradeRefusal(refusal: UpgradeRefusal, requestId: string): RenderedRefusal {
  const { status, name, message } = refusal;
  return {
    status,
    headers: { ...refusal.headers, "Content-Type": "application/json", "X-Request-Id": requestId },
    body: JSON.stringify({
      ...{ status, name, message, requestId },
      ...(name === "BadRequest" && { errors: [{ path: "", message }] }),
    }),
  };
}

/** Responds to an upgrade request with plain HTTP and closes the connection, forcibly after `graceMs`. */
export function sendRefusal(
  client: Socket,
  refusal: RenderedRefusal,
  clock: Pick<Clock, "after">,
  graceMs: number,
): void {
  const body = Buffer.from(refusal.body);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`,
    ...Object.entries(refusal.headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    "Connection: close",
    "\r\n",
  ].join("\r\n");
  client.end(Buffer.concat([Buffer.from(head, "latin1"), body]));
  // Read and discard the client's remaining data, because closing with unread bytes would reset the connection before
  // the client reads the response.
  client.resume();
  client.once("end", () => client.destroySoon());
  const cancel = clock.after(graceMs, () => client.destroy());
  client.once("close", cancel);
}
