import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as newRequest,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from "node:http";
import type { LookupFunction } from "node:net";
import { pipeline } from "node:stream/promises";
import { isLost } from "./connections.ts";
import type { Target } from "./dialers.ts";
import { MAX_ANSWER_HEAD, MAX_HEADERS } from "./heads.ts";
import { authenticationFailed, invalidAnswer, type Refusal, STATUS } from "./refusal.ts";
import type { Route } from "./route.ts";

const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);
/** Sites send one or two interim responses, such as 103 Early Hints. */
const MAX_INTERIM = 10;

/** Headers that apply to a single connection (RFC 9110, section 7.6.1). */
const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Headers that are forwarded even if the `Connection` header names them. */
const ESSENTIAL = new Set(["content-length", "host"]);

type Path = {
  readonly target: Target;
  readonly route: Route;
  /** Resolves every name to the allowed addresses. */
  readonly lookup: LookupFunction;
};

/**
 * Forwards a plain request, and relays the response. Resolves when the response has ended or the connection was lost.
 * @throws {Refusal} If no response can be relayed. Nothing has been written to `response` yet.
 */
export async function forward(request: IncomingMessage, response: ServerResponse, path: Path): Promise<void> {
  const { route } = path;
  const agent = isRepeatable(request) ? route.pooled : route.fresh;
  const answer = await send(request, response, path, agent).catch((error: unknown) => {
    throw route.toRefusal(error);
  });
  route.markAnswered();
  const refusal = await checkAnswer(answer, route);
  if (refusal !== undefined) {
    answer.destroy();
    throw refusal;
  }
  const reason = answer.statusMessage ?? "";
  response.writeHead(answer.statusCode ?? 0, isWritable("reason", reason) ? reason : "", toEndToEnd(answer));
  // An error in one stream destroys both.
  await pipeline(answer, response).catch(() => undefined);
}

/** Returns why a response can't be relayed; undefined if it can. */
async function checkAnswer({ statusCode: status = 0 }: IncomingMessage, route: Route): Promise<Refusal | undefined> {
  // If this response were relayed, the browser would ask its user for the proxy's password.
  if (status === 407 && route.proxy !== undefined) return authenticationFailed();
  if (status === 401 && route.proxy !== undefined && !(await route.acceptsCredentials())) return authenticationFailed();
  if (status === 407)
    return invalidAnswer(STATUS.authenticationFailed, "The site responded with 407, which only proxies may send.");
  if (status < 100 || status > 999) return invalidAnswer(STATUS.invalidStatus, `${status} is not an HTTP status.`);
  return undefined;
}

function send(request: IncomingMessage, response: ServerResponse, path: Path, agent: Agent): Promise<IncomingMessage> {
  const { target, route, lookup } = path;
  const { proxy, silenceMs, fresh } = route;
  const { host, port } = proxy ?? target;
  return new Promise((resolve, reject) => {
    const outgoing = newRequest({
      agent,
      lookup,
      host,
      port,
      method: request.method,
      path: proxy === undefined ? toPath(request.url ?? "") : request.url,
      headers: toHeaders(request, proxy?.authorization),
      // Browsers accept responses that strict parsers refuse.
      insecureHTTPParser: true,
      maxHeaderSize: MAX_ANSWER_HEAD,
    });
    outgoing.maxHeadersCount = MAX_HEADERS;
    let isAnswered = false;
    outgoing.once("response", (answer) => {
      isAnswered = true;
      resolve(answer);
    });
    limitInterim(outgoing, reject);
    // The request doesn't ask for an upgrade. Without a listener, such a response would be lost.
    outgoing.once("upgrade", (_answer, socket) => {
      socket.destroy();
      reject(
        invalidAnswer(STATUS.upstreamFailed, "The response was 101, but the request did not ask for another protocol."),
      );
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isWanted = !isAnswered && !response.destroyed;
      const isStale = isWanted && outgoing.reusedSocket && isLost(error);
      if (isStale) resolve(send(request, response, path, fresh));
      else reject(error);
    });
    if (silenceMs !== undefined) limitSilence(outgoing, silenceMs);
    response.once("close", () => {
      if (!response.writableFinished) outgoing.destroy();
    });
    if (isRepeatable(request)) outgoing.end();
    else upload(request, outgoing);
  });
}

/**
 * Sends a request's body. A site may respond and close the connection before it has read the whole body. Browsers read
 * the response only after sending everything, so the rest of the body is read and dropped.
 */
function upload(request: IncomingMessage, outgoing: ClientRequest): void {
  request.pipe(outgoing);
  // Node stops emitting "drain" for requests whose response has ended.
  outgoing.once("socket", (socket) => socket.on("drain", () => outgoing.emit("drain")));
  // The upload may continue after the response has ended.
  const { socket: browser } = request;
  const onLeft = (): void => void outgoing.destroy();
  browser.once("close", onLeft);
  outgoing.once("close", () => {
    browser.off("close", onLeft);
    request.unpipe(outgoing).resume();
  });
}

/** Whether a request can be sent again if its pooled connection closes (RFC 9110, section 9.2.2). */
function isRepeatable({ method = "", headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  return REPEATABLE.has(method) && !hasBody;
}

/** Limits the number of interim responses, each of which costs time. */
function limitInterim(outgoing: ClientRequest, reject: (refusal: Refusal) => void): void {
  let count = 0;
  outgoing.on("information", () => {
    count += 1;
    if (count !== MAX_INTERIM + 1) return;
    reject(
      invalidAnswer(STATUS.upstreamFailed, `The response began with more than ${MAX_INTERIM} interim responses (1xx).`),
    );
    outgoing.destroy();
  });
}

/** Limits the time without data before the response, unless the browser is still sending its request. */
function limitSilence(outgoing: ClientRequest, silenceMs: number): void {
  // A request emits only its first timeout, so listen to the socket.
  outgoing.once("socket", (socket) => {
    const giveUp = (): void => {
      const isBrowsersTurn = !outgoing.writableEnded && !outgoing.writableNeedDrain;
      if (isBrowsersTurn) socket.setTimeout(silenceMs);
      else outgoing.destroy(Object.assign(new Error("The proxy did not answer."), { code: "ETIMEDOUT" }));
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

/** Returns the part of an absolute URL after the host, byte for byte. */
function toPath(url: string): string {
  const rest = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/**
 * Returns a message's headers as alternating names and values, in their original order. Drops hop-by-hop headers,
 * headers named by `Connection`, and headers that Node refuses to write.
 */
function toEndToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...HOP_BY_HOP, ...named.filter((name) => !ESSENTIAL.has(name))]);
  // A chunked message has no Content-Length (RFC 9112, section 6.3).
  if (headers["transfer-encoding"] !== undefined) dropped.add("content-length");
  const endToEnd: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!dropped.has(name.toLowerCase()) && isWritable(name, value)) endToEnd.push(name, value);
  }
  return endToEnd;
}

function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
