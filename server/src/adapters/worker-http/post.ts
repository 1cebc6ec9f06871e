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
  /** Whether the server may have received any of the request. */
  isSent: boolean;
  /** Whether the request failed without a response on a reused connection, which may have been closed while idle. */
  isStale: boolean;
};

/** Thrown when this server stops reading a response. The message states the reason as a clause. */
export class UnreadAnswer extends Error {}

/** Minimum average chunk size of a long response, because even short chunks take time to process. */
const PART_BYTES = 512;
const SHORT_PARTS = 1000;

type PostOptions = {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** False to use a new connection that won't be reused. */
  readonly agent: http.Agent | false;
  /** For an `https://` target. Undefined if the target has a public certificate and requires no client certificate. */
  readonly keys: ClusterKeys | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly signal: AbortSignal;
  /** Maximum length of the response. */
  readonly maxBytes: number;
  /** Other responses that count towards the same limit, if any. */
  readonly arriving?: ArrivingAnswers | undefined;
};

/**
 * Sends a POST request and reads the response.
 * @param progress Updated during the request; still valid if it fails.
 * @throws {UnreadAnswer} If the response isn't read to the end.
 * @throws {Error} If the connection fails or is lost; `signal.reason` if the signal is aborted.
 */
export async function post(target: URL, progress: Progress, options: PostOptions): Promise<Answer> {
  const { headers, body, agent, keys, clock, signal, ...limits } = options;
  signal.throwIfAborted();
  const isSecure = target.protocol === "https:";
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const own = { method: "POST", agent, headers, signal };
  const request = (isSecure ? https : http).request(target, { ...own, ...toTlsOptions(target, keys) });
  request.once("response", resolve).on("error", reject);
  // Workers don't send interim responses, but another server could send any number of them.
  request.once("information", () => request.destroy(new UnreadAnswer("it began with a 1xx status")));
  request.once("socket", (socket) => {
    if (request.reusedSocket) {
      progress.isSent = true;
      return;
    }
    const late = (): void => void request.destroy(new Error(`No connection was established within ${CONNECT_MS} ms.`));
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
    // A server rejects a client certificate after the client's handshake, without reading the request.
    if (isRefusal(error)) progress.isSent = false;
    throw error;
  }
}

/** @throws {UnreadAnswer} If the response is too long. The connection is closed. */
async function readText(
  response: http.IncomingMessage,
  worker: string,
  { maxBytes, arriving }: Pick<PostOptions, "maxBytes" | "arriving">,
): Promise<string> {
  const parts: Buffer[] = [];
  const end = (reason: string): void => void response.destroy(new UnreadAnswer(reason));
  const answer = { worker, bytes: 0, end };
  arriving?.add(answer);
  // An iterator would join small chunks before they are counted.
  response.on("data", (part: Buffer) => {
    parts.push(part);
    answer.bytes += part.length;
    if (answer.bytes > maxBytes) return end(`it has more than ${maxBytes} bytes`);
    if (parts.length > SHORT_PARTS + answer.bytes / PART_BYTES) return end("it arrived in too many chunks");
    arriving?.limit();
  });
  try {
    await finished(response);
    return Buffer.concat(parts).toString();
  } finally {
    arriving?.delete(answer);
  }
}

/** Whether the server has rejected this server's client certificate. */
export function isRefusal(error: unknown): boolean {
  return /^ERR_SSL_\w+_ALERT_\w*(CERTIFICATE|UNKNOWN_CA)/.test(String((error as NodeJS.ErrnoException | null)?.code));
}
