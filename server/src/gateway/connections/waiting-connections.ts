import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  /** Connections of all kinds. */
  readonly total: number;
  /** Connections that wait for one caller. */
  readonly waitingPerCaller: number;
  /** Who has opened a connection; undefined for a reverse proxy, which has many callers. */
  readonly toPeer: (address: string) => string | undefined;
  /** Who has sent a request, also through a reverse proxy. */
  readonly toCaller: (request: IncomingMessage) => string;
};

/** Connections in the order in which they began to wait, with the request whose body is missing. */
type Waiting = Map<Socket, IncomingMessage | undefined>;

/**
 * Keeps room for requests when others hold connections open. If there are too many connections, those that wait for
 * their client are closed, the oldest of the caller that has most of them first: they wait for a request, for the rest
 * of its body, or until the client has read the answer. WebSockets, and connections with a request in progress, stay.
 * With TLS, connections count when their handshake is complete.
 * @returns A listener for requests whose turn has come.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): RequestListener {
  /** With who opened each. */
  const open = new Map<Socket, string | undefined>();
  /** By caller. Those that proxies keep for their next request have none. */
  const waiting = new Map<string | undefined, Waiting>();
  const callers = new WeakMap<Socket, string | undefined>();

  const stopWaiting = (socket: Socket): void => {
    const caller = callers.get(socket);
    const own = waiting.get(caller);
    if (own?.delete(socket) === true && own.size === 0) waiting.delete(caller);
  };
  const closeFirst = (sockets: Waiting): boolean => {
    for (const [socket, request] of sockets) {
      // The server hasn't read all that has arrived, so the request waits for the server.
      if (request !== undefined && (request.complete || request.readableLength > 0)) continue;
      // Before it reports that it has closed, so that the next one isn't counted twice.
      stopWaiting(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const wait = (socket: Socket, caller: string | undefined, request?: IncomingMessage): void => {
    stopWaiting(socket);
    if (!open.has(socket) || socket.destroyed) return;
    callers.set(socket, caller);
    const own: Waiting = waiting.get(caller) ?? new Map();
    waiting.set(caller, own.set(socket, request));
    if (own.size > limits.waitingPerCaller && caller !== undefined) closeFirst(own);
  };

  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    const peer = limits.toPeer(socket.remoteAddress ?? "");
    open.set(socket, peer);
    socket.once("close", () => {
      stopWaiting(socket);
      open.delete(socket);
    });
    wait(socket, peer);
    if (open.size <= limits.total) return;
    let most: Waiting = new Map();
    for (const own of waiting.values()) if (own.size > most.size) most = own;
    // The new one waits as well, so there is always one to close.
    [most, ...waiting.values()].some(closeFirst);
  });
  server.on("upgrade", ({ socket }) => stopWaiting(socket));

  return (request, response) => {
    const { socket } = request;
    stopWaiting(socket);
    if (hasBody(request)) {
      wait(socket, limits.toCaller(request), request);
      request.once("end", () => {
        if (!response.writableEnded) stopWaiting(socket);
      });
    }
    response.once("prefinish", () => {
      if (response.writableLength > 0) wait(socket, limits.toCaller(request));
    });
    // Before the connection's next request begins.
    response.prependOnceListener("close", () => wait(socket, open.get(socket)));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
