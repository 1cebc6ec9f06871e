import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request as send } from "node:http";
import { buffer } from "node:stream/consumers";

/** The request to forward. */
export type Passed = {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A complete response. */
export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

/** Headers that concern a single connection or the encoding of the body. The proxy doesn't forward these headers. */
const OF_CONNECTION = ["connection", "keep-alive", "transfer-encoding", "content-length", "expect", "upgrade", "te"];

/** Sends a request on a new connection, so that it can't reuse a connection that the server is closing. */
export async function forward({ method, url, headers, body }: Passed, signal: AbortSignal): Promise<Answer> {
  const sent = send(url, {
    method,
    // Drop `Host` so that addresses contain the server's host, and `Accept-Encoding` so that bodies are uncompressed.
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
