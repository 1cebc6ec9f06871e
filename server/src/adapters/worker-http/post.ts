import * as http from "node:http";
import * as https from "node:https";
import { finished } from "node:stream/promises";
import type { Clock } from "../../ports/clock.ts";
import { type ClusterKeys, toTlsOptions } from "../../ports/cluster/cluster-certificates.ts";
import type { ArrivingAnswers } from "./arriving-answers.ts";

/** How long connecting may take, with the look-up of the name and TLS, in ms. */
const CONNECT_MS = 2000;

export type Answer = { readonly status: number; readonly text: string };

/** How far a request got. */
export type Progress = {
  /** Whether any of it may have reached the other side. */
  isSent: boolean;
  /**
   * Whether it was lost on a connection of an earlier request, before any answer: the other side may have closed that
   * while idle.
   */
  isStale: boolean;
};

/** This side has stopped reading an answer. The message says why, as the end of a sentence. */
export class UnreadAnswer extends Error {}

/** The parts of a long answer have this many bytes on average, or more. Each part costs time, however short it is. */
const PART_BYTES = 512;
const SHORT_PARTS = 1000;

type PostOptions = {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** False: a connection for this request only. */
  readonly agent: http.Agent | false;
  /**
   * For an `https://` target; undefined: it is a server that any client may call, with a certificate of a public
   * authority.
   */
  readonly keys: ClusterKeys | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly signal: AbortSignal;
  /** How long the answer may be. */
  readonly maxBytes: number;
  /** The answers that have a limit together, if this one belongs to them. */
  readonly arriving?: ArrivingAnswers | undefined;
};

/**
 * Sends a POST request and reads the answer.
 * @param progress Says how far it got, also after it has failed.
 * @throws {UnreadAnswer} @throws {Error} When it can't connect, or loses the connection; `signal.reason` when the
 *   signal is aborted.
 */
export async function post(target: URL, progress: Progress, options: PostOptions): Promise<Answer> {
  const { headers, body, agent, keys, clock, signal, ...limits } = options;
  signal.throwIfAborted();
  const isSecure = target.protocol === "https:";
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const own = { method: "POST", agent, headers, signal };
  const request = (isSecure ? https : http).request(target, { ...own, ...toTlsOptions(target, keys) });
  request.once("response", resolve).on("error", reject);
  // Servers of this software don't send such answers, and there may be any number of them.
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
    // A server that refuses a client's certificate says so after the client's part of the handshake, and reads no
    // request.
    if (isRefusal(error)) progress.isSent = false;
    throw error;
  }
}

/** @throws {UnreadAnswer} As soon as it is too long. The connection is closed then. */
async function readText(
  response: http.IncomingMessage,
  worker: string,
  { maxBytes, arriving }: Pick<PostOptions, "maxBytes" | "arriving">,
): Promise<string> {
  const parts: Buffer[] = [];
  const end = (reason: string): void => void response.destroy(new UnreadAnswer(reason));
  const answer = { worker, bytes: 0, end };
  arriving?.add(answer);
  // Not an iterator: it would join small parts before they are counted.
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

/** Whether the other side has refused this side's certificate. */
export function isRefusal(error: unknown): boolean {
  return /^ERR_SSL_\w+_ALERT_\w*(CERTIFICATE|UNKNOWN_CA)/.test(String((error as NodeJS.ErrnoException | null)?.code));
}
