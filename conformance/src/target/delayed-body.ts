import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { text } from "node:stream/consumers";
import type { Received, SentRequest } from "./exchange.ts";
import { toReceived } from "./handshake.ts";
import { NoAnswer, toNoAnswer } from "./no-answer.ts";

const PAUSE_MS = 1500;
const ANSWER_MS = 60_000;

/**
 * Sends the headers immediately, and the body after a pause. If a server rejected a body and disconnected, a client
 * still sending it would lose the response.
 * @throws {NoAnswer}
 */
export function sendBodyLater({ method, url, headers, body = "" }: SentRequest): Promise<Received> {
  const what = `${method} ${new URL(url).pathname}`;
  return new Promise((resolve, reject) => {
    const open = url.startsWith("https:") ? requestHttps : requestHttp;
    const length = { "Content-Length": String(Buffer.byteLength(body)) };
    const request = open(url, { method, headers: { ...headers, ...length }, agent: false });
    const sending = setTimeout(() => request.end(body), PAUSE_MS);
    const deadline = setTimeout(() => {
      request.destroy(new NoAnswer(`${what} received no response within ${ANSWER_MS / 1000} s.`, { isReached: true }));
    }, ANSWER_MS);
    request.on("error", (error) => reject(error instanceof NoAnswer ? error : toNoAnswer(what, error)));
    request.on("close", () => {
      clearTimeout(sending);
      clearTimeout(deadline);
    });
    request.on("response", (response) => {
      clearTimeout(sending);
      text(response)
        .then((received) => resolve(toReceived(response, received)))
        .catch((error: unknown) => reject(toNoAnswer(what, error)))
        .finally(() => request.destroy());
    });
    request.flushHeaders();
  });
}
