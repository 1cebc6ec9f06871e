import * as http from "node:http";
import * as https from "node:https";
import { text } from "node:stream/consumers";
import type { Clock } from "../../ports/clock.ts";
import { type ClusterKeys, toTlsOptions } from "../../ports/cluster-certificates.ts";

/** How long connecting may take, with the look-up of the name and TLS, in ms. */
export const CONNECT_MS = 2000;

export type Answer = { readonly status: number; readonly text: string };

/** How far a request got. */
export type Progress = {
  /** Whether any of it may have reached the other side. */
  isSent: boolean;
  /** Whether it was lost on a connection of an earlier request, before any answer: the other side may have closed that while idle. */
  isStale: boolean;
};

type PostOptions = {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** False: a connection for this request only. */
  readonly agent: http.Agent | false;
  /** For an `https://` target; undefined: it is a server that any client may call, with a certificate of a public authority. */
  readonly keys: ClusterKeys | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly signal: AbortSignal;
};

/**
 * Sends a POST request and reads the answer.
 * @param progress Says how far it got, also after it has failed.
 * @throws {Error} When it can't connect, or loses the connection; `signal.reason` when the signal is aborted.
 */
export async function post(target: URL, progress: Progress, options: PostOptions): Promise<Answer> {
  const { headers, body, agent, keys, clock, signal } = options;
  signal.throwIfAborted();
  const isSecure = target.protocol === "https:";
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const own = { method: "POST", agent, headers, signal };
  const request = (isSecure ? https : http).request(target, { ...own, ...toTlsOptions(target, keys) });
  request.once("response", resolve).on("error", reject);
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
    return { status: response.statusCode ?? 0, text: await text(response) };
  } catch (error) {
    signal.throwIfAborted();
    progress.isStale = request.reusedSocket && !hasAnswered;
    // A server that refuses a client's certificate says so after the client's part of the handshake, and reads no request.
    if (isRefusal(error)) progress.isSent = false;
    throw error;
  }
}

/** Whether the other side has refused this side's certificate. */
export function isRefusal(error: unknown): boolean {
  return /^ERR_SSL_\w+_ALERT_\w*(CERTIFICATE|UNKNOWN_CA)/.test(String((error as NodeJS.ErrnoException | null)?.code));
}
