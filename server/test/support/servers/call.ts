import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expectDeclared } from "./contract-check.ts";

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

/**
 * Sends one HTTP request on its own connection, then closes the connection. @param signal Aborts the request and its
 * response.
 */
export async function send(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
  signal?: AbortSignal,
): Promise<Answered> {
  const length = body === "" ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const sent = request(url, { method, headers: { ...headers, ...length }, agent: false, ...(signal && { signal }) });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const pairs = Object.entries(answer.headersDistinct).map(([name, values = []]) => [name, values.join(", ")] as const);
  return {
    status: answer.statusCode ?? 0,
    headers: new Headers(pairs.map(([name, value]) => [name, value])),
    body: JSON.parse(await text(answer)) as Record<string, unknown>,
  };
}

/** Calls one of the contract's operations. The test fails unless the contract declares the response. */
export async function call(
  base: URL,
  method: "GET" | "POST",
  path: string,
  token: string,
  body?: unknown,
  others: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const headers = { ...others, Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await send(new URL(path, base), method, headers, body === undefined ? "" : JSON.stringify(body));
  expectDeclared(path, method, answer.status, answer.headers, answer.body);
  return answer;
}
