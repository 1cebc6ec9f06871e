import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Log } from "../../ports/log.ts";
import type { Target } from "./dialers.ts";
import { forward } from "./forward.ts";
import { notAProxyRequest, Refusal, STATUS } from "./refusal.ts";
import type { Route } from "./route.ts";
import { splice } from "./splice.ts";

/** Chromium keeps connections to its proxy; each new one costs a process in the sandbox. */
const IDLE_MS = 60_000;
/** Time to deliver a refusal to a client that waits for a tunnel. */
const REFUSAL_MS = 1_000;
const HTTP_PORT = 80;

type ProxyServer = Disposable & { accept(socket: Socket): void };

/**
 * One browser's forward proxy. Disposing it closes the browser's connections to it.
 * @param onRoute Runs work on the current route of the browser's traffic.
 */
export function newProxyServer(
  onRoute: <T>(work: (route: Route) => Promise<T>) => Promise<T>,
  { log, maxConnections }: { readonly log: Pick<Log, "error">; readonly maxConnections: number },
): ProxyServer {
  const sockets = new Set<Socket>();
  let isDisposed = false;

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    request.socket.setTimeout(0);
    try {
      const target = readTarget(request);
      const path = await onRoute(async (route) => ({ target, route, lookup: await route.resolve(target) }));
      // If the browser has already disconnected, the forwarded request would otherwise never end.
      if (!request.socket.destroyed) await forward(request, response, path);
    } catch (error) {
      refuse(request, response, toAnswer(error, log));
    }
  };

  const onConnect = async (request: IncomingMessage, head: Buffer): Promise<void> => {
    const client = request.socket;
    const left = new AbortController();
    client.setTimeout(0);
    client.once("close", () => left.abort());
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

  // Uploads have no time limit.
  const server = createServer({ keepAliveTimeout: IDLE_MS, requestTimeout: 0 });
  server.on("request", (request, response) => void onRequest(request, response));
  server.on("connect", (request, _socket, head) => void onConnect(request, head));

  return {
    accept(socket) {
      if (isDisposed || socket.destroyed || sockets.size >= maxConnections) return void socket.destroy();
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
      socket.on("error", () => undefined);
      // A client may end its side of a tunnel and keep reading.
      socket.allowHalfOpen = true;
      socket.setNoDelay(true);
      socket.setTimeout(IDLE_MS);
      server.emit("connection", socket);
    },
    [Symbol.dispose]() {
      isDisposed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @throws {Refusal} 400 for a request that is not for a proxy. */
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
  return new Refusal(STATUS.internalError, "Internal error", "The proxy of this browser failed.");
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(refusal.status, refusal.reason, {
    "Content-Type": "text/html; charset=utf-8",
    // The unread rest of this request would be read as the next one.
    ...(!request.complete && { Connection: "close" }),
  });
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
