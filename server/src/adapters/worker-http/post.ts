import * as http from "node:http";
import * as https from "node:https";
import { finished } from "node:stream/promises";
import type { Clock } from "../../ports/clock.ts";
import { type ClusterKeys, toTlsOptions } from "../../ports/cluster/cluster-certificates.ts";
import type { ArrivingAnswers } from "./arriving-answers.ts";

/** Time limit for connecting, including DNS and TLS, in ms. */
const CONNECT_MS = 2000;

export type Answer = { readonly status: number; readonly text: string };

/** The progress of a request. */
export type Progress = {
  /** Whether the server may have received any of it. */
  isSent: boolean;
  /** Whether it was lost without an answer on a reused connection, which the server may have closed while idle. */
  isStale: boolean;
};

/** This side has stopped reading an answer. The message gives the reason as a clause. */
export class UnreadAnswer extends Error {}

/** Minimum average size of a long answer's parts, because even short parts take time. */
const PART_BYTES = 512;
const SHORT_PARTS = 1000;

type PostOptions = {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** False for a connection that isn't reused. */
  readonly agent: http.Agent | false;
  /** For an `https://` target. Undefined if it has a public certificate and doesn't require one from clients. */
  readonly keys: ClusterKeys | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly signal: AbortSignal;
  /** Maximum length of the answer. */
  readonly maxBytes: number;
  /** The answers that this one shares a limit with, if any. */
  readonly arriving?: ArrivingAnswers | undefined;
};

/**
 * Sends a POST request and reads the answer.
 * @param progress Updated during the request, and valid even after a failure.
 * @throws {UnreadAnswer} If the answer is refused.
 * @throws {Error} If it can't connect, or loses the connection; `signal.reason` if the signal is aborted.
 */
export async function post(target: URL, progress: Progress, options: PostOptions): Promise<Answer> {
  const { headers, body, agent, keys, clock, signal, ...limits } = options;
  signal.throwIfAborted();
  const isSecure = target.protocol === "https:";
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const own = { method: "POST", agent, headers, signal };
  const request = (isSecure ? https : http).request(target, { ...own, ...toTlsOptions(target, keys) });
  request.once("response", resolve).on("error", reject);
  // Workers don't send interim answers, and other servers could send any number of them.
  request.once("information", () => request.destroy(new UnreadAnswer("it began with a status of 1xx")));
  request.once("socket", (socket) => {
    if (request.reusedSocket) {
      progress.isSent = true;
      return;
    }
    const late = (): void => void request.destroy(new Error(`There was no connection after ${CONNECT_MS} ms.`));
    const cancel = clock.after(CONNECT_MS, late);
    request.once("close", cancel);
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      cancel();
      progress.isSent = true;
    });
  });
  request.end(body);
  let hasAnswered = false;
  try {
    const response = await answered;
    hasAnswered = true;
    return { status: response.statusCode ?? 0, text: await readText(response, target.host, limits) };
  } catch (error) {
    signal.throwIfAborted();
    progress.isStale = request.reusedSocket && !hasAnswered;
    // A server refuses a client's certificate after the client's handshake, without reading the request.
    if (isRefusal(error)) progress.isSent = false;
    throw error;
  }
}

/** @throws {UnreadAnswer} As soon as the answer is too long, which closes the connection. */
async function readText(
  response: http.IncomingMessage,
  worker: string,
  { maxBytes, arriving }: Pick<PostOptions, "maxBytes" | "arriving">,
): Promise<string> {
  const parts: Buffer[] = [];
  const end = (reason: string): void => void response.destroy(new UnreadAnswer(reason));
  const answer = { worker, bytes: 0, end };
  arriving?.add(answer);
  // An iterator would join small parts before they are counted.
  response.on("data", (part: Buffer) => {
    parts.push(part);
    answer.bytes += part.length;
    if (answer.bytes > maxBytes) return end(`it has more than ${maxBytes} bytes`);
    if (parts.length > SHORT_PARTS + answer.bytes / PART_BYTES) return end("it has too many parts");
    arriving?.limit();
  });
  try {
    await finished(response);
    return Buffer.concat(parts).toString();
  } finally {
    arriving?.delete(answer);
  }
}

/** Whether the server has refused this side's certificate. */
export function isRefusal(error: unknown): boolean {
  return /^ERR_SSL_\w+_ALERT_\w*(CERTIFICATE|UNKNOWN_CA)/.test(String((error as NodeJS.ErrnoException | null)?.code));
}
