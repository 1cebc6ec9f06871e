import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";

/** A request as it is passed on. */
export type Passed = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A whole answer. */
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** What belongs to one connection or to the body's form, and is the next connection's to say. */
const OF_CONNECTION = ["connection", "keep-alive", "transfer-encoding", "content-length", "expect", "upgrade", "te"];

/** Sends a request on a connection of its own, so that none that the server just closed is used again. */
export async function forward({ method, url, headers, body }: Passed, signal: AbortSignal): Promise<Answer> {
  const sent = send(url, {
    method,
    // Addresses begin with the host that was asked, and a packed answer could not be read here.
    headers: { ...without(headers, [...OF_CONNECTION, "host", "accept-encoding"]), ...lengthOf(method, body) },
    agent: false,
    signal,
  });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const whole = await buffer(answer);
  return { status: answer.statusCode ?? 0, headers: without(answer.headers, OF_CONNECTION), body: whole };
}

function lengthOf(method: string, body: Buffer): IncomingHttpHeaders {
  return method === "GET" && body.length === 0 ? {} : { "content-length": String(body.length) };
}

function without(headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
