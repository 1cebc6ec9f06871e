import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as newRequest,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream/promises";
import { isWritable, toEndToEnd } from "./headers.ts";
import { authenticationFailed, Refusal, UPSTREAM_AUTH_FAILED, UPSTREAM_FAILED } from "./refusal.ts";
import type { Clearance } from "./route.ts";

/** proxy-chain's status for an answer whose own is no HTTP status. */
const STATUS_OUT_OF_RANGE = 592;
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);
/** What the loss of a connection is told by. */
const LOST = new Set(["ECONNRESET", "EPIPE"]);
const NO_ANSWER = "The answer was none";

/**
 * Sends a plain request on its way and brings its answer back. Resolves when the answer is through, or broken off.
 * @throws {Refusal} When there is no answer to give; nothing is written to the response then.
 */
export async function forward(request: IncomingMessage, response: ServerResponse, clearance: Clearance): Promise<void> {
  const agent = isRepeatable(request) ? clearance.kept : clearance.fresh;
  const answer = await send(request, response, clearance, agent).catch((error: unknown) => {
    throw clearance.toRefusal(error);
  });
  clearance.onAnswer();
  const status = answer.statusCode ?? 0;
  const isOdd = status === 407 || status < 100 || status > 999;
  if (isOdd || (status === 401 && clearance.proxy !== undefined && !(await clearance.isProxyOpen()))) {
    answer.destroy();
    throw toOddAnswer(status, clearance);
  }
  const reason = answer.statusMessage ?? "";
  response.writeHead(status, isWritable("reason", reason) ? reason : "", toEndToEnd(answer));
  // Whoever left, the streams are destroyed by now.
  await pipeline(answer, response).catch(() => undefined);
}

function toOddAnswer(status: number, { proxy }: Clearance): Refusal {
  if (status !== 401 && status !== 407)
    return new Refusal(STATUS_OUT_OF_RANGE, NO_ANSWER, `It had the status ${status}, which is none.`);
  // Passed on, it would have the browser ask its user for a password that is ours to know.
  if (proxy !== undefined) return authenticationFailed();
  return new Refusal(UPSTREAM_AUTH_FAILED, NO_ANSWER, "The site answered 407, which is for proxies to say.");
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  clearance: Clearance,
  agent: Agent,
): Promise<IncomingMessage> {
  const { lookup, target, proxy, silenceMs, fresh } = clearance;
  const { host, port } = proxy?.peer ?? target;
  return new Promise((resolve, reject) => {
    const outgoing = newRequest({
      agent,
      lookup,
      host,
      port,
      method: request.method,
      path: proxy === undefined ? toPath(request.url ?? "") : request.url,
      headers: toHeaders(request, proxy?.authorization),
      // Sites send what strict parsers refuse, and browsers read it.
      insecureHTTPParser: true,
    });
    let isAnswered = false;
    outgoing.once("response", (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    // Nobody asked for another protocol. Unless told, nobody would ever hear of this answer.
    outgoing.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(new Refusal(UPSTREAM_FAILED, NO_ANSWER, "It was 101, to a request for no other protocol."));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isWanted = !isAnswered && !response.destroyed;
      const isStale = isWanted && outgoing.reusedSocket && LOST.has(error.code ?? "");
      if (isStale) resolve(send(request, response, clearance, fresh));
      else reject(error);
    });
    if (silenceMs !== undefined) limitSilence(outgoing, silenceMs);
    response.once("close", () => outgoing.destroy());
    if (isRepeatable(request)) outgoing.end();
    else request.pipe(outgoing);
  });
}

/**
 * Whether it can be sent again. A kept connection may be closing as a request is written to it; whoever closed it has not
 * read the request then, or has it to be read twice without harm (RFC 9110, section 9.2.2).
 */
function isRepeatable({ method = "", headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return REPEATABLE.has(method) && !hasBody;
}

/** Gives up once nothing has moved for a time before the answer, unless it is the browser's turn to send. */
function limitSilence(outgoing: ClientRequest, silenceMs: number): void {
  // On the socket, since a request hears of its first time-out only.
  outgoing.once("socket", (socket) => {
    const giveUp = (): void => {
      const isBrowsersTurn = !outgoing.writableEnded && !outgoing.writableNeedDrain;
      if (isBrowsersTurn) socket.setTimeout(silenceMs);
      else outgoing.destroy(Object.assign(new Error("The proxy said nothing."), { code: "ETIMEDOUT" }));
    };
    socket.setTimeout(silenceMs);
    socket.on("timeout", giveUp);
    outgoing.once("response", () => {
      socket.off("timeout", giveUp);
      socket.setTimeout(0);
    });
  });
}

function toHeaders(request: IncomingMessage, authorization: string | undefined): string[] {
  const headers = toEndToEnd(request);
  if (request.headers["transfer-encoding"] !== undefined) headers.push("Transfer-Encoding", "chunked");
  if (authorization !== undefined) headers.push("Proxy-Authorization", authorization);
  return headers;
}

/** What follows the host in an absolute URL, byte for byte. */
function toPath(url: string): string {
  const rest = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}
