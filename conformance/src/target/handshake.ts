import { randomBytes } from "node:crypto";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { text } from "node:stream/consumers";
import { expectWebSocketUrl } from "./addresses.ts";
import type { Received } from "./exchange.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

const ANSWER_MS = 30_000;

/**
 * Asks for a WebSocket and tells how that is answered; one that is granted (101) is closed at once.
 * @param address `ws://` or `wss://`.
 * @param headers What is sent instead of, or besides, a correct handshake; undefined leaves one out.
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
    // Node would take the name that the certificate has to be for from the Host header, which may be a wrong one.
    const servername = isIP(url.hostname) === 0 ? url.hostname : "";
    const request = open(url, { headers: Object.fromEntries(all), agent: false, servername });
    const signal = AbortSignal.timeout(ANSWER_MS);
    signal.addEventListener("abort", () => {
      reject(new NoAnswer(`The handshake got no answer in ${ANSWER_MS / 1000} s.`, { isReached: true }));
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

/** @param body The answer's whole text. */
export function toReceived({ statusCode = 0, headers }: IncomingMessage, body: string): Received {
  const flat = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  return { status: statusCode, headers: Object.fromEntries(flat), text: body, json };
}
