import { randomBytes } from "node:crypto";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { expectWebSocketUrl } from "./addresses.ts";
import type { Received } from "./exchange.ts";
import { parse } from "./json.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

const ANSWER_MS = 30_000;

/**
 * Sends a WebSocket handshake and returns the response. Closes the connection immediately if it is accepted (101).
 * @param address `ws://` or `wss://`.
 * @param headers Replace or extend the headers of a correct handshake. Undefined removes a header.
 * @throws {NoAnswer}
 */
export async function tryHandshake(
  address: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Received> {
  const url = new URL(expectWebSocketUrl(address).replace(/^ws/, "http"));
  const correct = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  const all = Object.entries({ ...correct, ...headers }).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    // Node would check the certificate against the Host header, which may be deliberately wrong.
    const servername = isIP(url.hostname) === 0 ? url.hostname : "";
    const request = open(url, { headers: Object.fromEntries(all), agent: false, servername });
    const signal = AbortSignal.timeout(ANSWER_MS);
    signal.addEventListener("abort", () => {
      reject(
        new NoAnswer(`The server did not respond to the handshake within ${ANSWER_MS / 1000} s.`, { isReached: true }),
      );
      request.destroy();
    });
    request.on("error", (error) => reject(toNoAnswer("The handshake", error)));
    request.on("upgrade", (response, socket) => {
      socket.on("error", () => {}).destroy();
      resolve(toReceived(response, ""));
    });
    request.on("response", (response) => {
      text(response).then((body) => resolve(toReceived(response, body)), reject);
    });
    request.end();
  });
}

/** @param body The response body as text. */
export function toReceived({ statusCode = 0, headers }: IncomingMessage, body: string): Received {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { status: statusCode, headers: Object.fromEntries(flat), text: body, json: parse(body) };
}
