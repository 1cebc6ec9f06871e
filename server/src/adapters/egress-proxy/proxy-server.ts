import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../ports/log.ts";
import type { Target } from "./dialers.ts";
import { forward } from "./forward.ts";
import { LONG_HEADS, MAX_HEAD, MAX_HEADERS, MAX_LONG_HEAD } from "./heads.ts";
import { notAProxyRequest, Refusal, STATUS } from "./refusal.ts";
import type { Route } from "./route.ts";
import { splice } from "./splice.ts";

/** Idle limit in ms. Chromium reuses proxy connections, and each new connection starts a process in the sandbox. */
const IDLE_MS = 60_000;
/** Maximum number of unfinished requests on a connection. */
const MAX_WAITING = 2;
/** Time limit for sending a refusal to a client that requested a tunnel. */
const REFUSAL_MS = 1_000;
const HTTP_PORT = 80;

type ProxyServer = Disposable & { accept(socket: Socket): void };

/** Creates a browser's proxy. Disposing closes its connections. @param onRoute Runs work on the current route. */
export function newProxyServer(
  onRoute: <T>(work: (route: Route) => Promise<T>) => Promise<T>,
  { log, maxConnections }: { readonly log: Pick<Log, "error">; readonly maxConnections: number },
): ProxyServer {
  const sockets = new Set<Socket>();
  /** Sockets that may send a long head. */
  const long = new Set<Socket>();
  const waiting = new WeakMap<Socket, number>();
  let isDisposed = false;

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    if (!mayAsk(socket, response)) return void socket.destroy();
    socket.setTimeout(0);
    try {
      const target = readTarget(request);
      const path = await onRoute(async (route) => ({ target, route, lookup: await route.resolve(target) }));
      // If the browser has disconnected, don't forward the request: it would never end.
      if (!socket.destroyed) await forward(request, response, path);
    } catch (error) {
      refuse(request, response, toAnswer(error, log));
    }
  };

  /** Limits pipelining. Chromium may send a request just before the previous response has been completed. */
  const mayAsk = (socket: Socket, response: ServerResponse): boolean => {
    const count = (waiting.get(socket) ?? 0) + 1;
    waiting.set(socket, count);
    response.once("close", () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    return count <= MAX_WAITING;
  };

  const onConnect = async (request: IncomingMessage, head: Buffer): Promise<void> => {
    const client = request.socket;
    const left = new AbortController();
    client.setTimeout(0);
    client.once("close", () => left.abort());
    // Once the connection is a tunnel, it receives no more request heads.
    long.delete(client);
    try {
      const target = readTarget(request);
      const socket = await onRoute((route) => route.tunnel(target, left.signal));
      if (client.destroyed) return void socket.destroy();
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      if (head.length > 0) client.unshift(head);
      splice(client, socket);
    } catch (error) {
      refuseTunnel(client, toAnswer(error, log));
    }
  };

  const newServer = (maxHeaderSize: number): Server => {
    // Uploads have no time limit.
    const server = createServer({ keepAliveTimeout: IDLE_MS, requestTimeout: 0, maxHeaderSize });
    server.maxHeadersCount = MAX_HEADERS;
    server.on("request", (request, response) => void onRequest(request, response));
    server.on("connect", (request, _socket, head) => void onConnect(request, head));
    return server;
  };
  const [server, serverOfLongHeads] = [newServer(MAX_HEAD), newServer(MAX_LONG_HEAD)];

  return {
    accept(socket) {
      if (isDisposed || socket.destroyed || sockets.size >= maxConnections) return void socket.destroy();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
      // A client may stop writing to its end of a tunnel but continue reading.
      socket.allowHalfOpen = true;
      socket.setNoDelay(true);
      socket.setTimeout(IDLE_MS);
      const takesLongHeads = long.size < LONG_HEADS;
      if (takesLongHeads) {
        long.add(socket);
        socket.once("close", () => long.delete(socket));
      }
      (takesLongHeads ? serverOfLongHeads : server).emit("connection", socket);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @throws {Refusal} 400 if the request isn't a proxy request. */
function readTarget({ method, url = "" }: IncomingMessage): Target {
  const isTunnel = method === "CONNECT";
  const parsed = URL.parse(isTunnel ? `connect://${url}` : url);
  const port = isTunnel ? parsed?.port : parsed?.port || HTTP_PORT;
  if (!parsed?.hostname || !port || (!isTunnel && parsed.protocol !== "http:")) throw notAProxyRequest(url);
  return { host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

function toAnswer(error: unknown, log: Pick<Log, "error">): Refusal {
  if (error instanceof Refusal) return error;
  // The message may contain addresses or secrets, so it is not logged.
  log.error("egress.request_failed", { error: (error as Error).name });
  return new Refusal(STATUS.internalError, "Internal error", "This browser's proxy failed.");
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  // Browsers read the response only after they have sent their whole request.
  request.resume();
  response.writeHead(refusal.status, refusal.reason, { "Content-Type": "text/html; charset=utf-8" });
  response.end(refusal.toPage());
}

function refuseTunnel(client: Socket, { status, reason, message }: Refusal): void {
  const body = `${message}\n`;
  client.setTimeout(REFUSAL_MS, () => client.destroy());
  client.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
