import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  /** Maximum number of connections. */
  readonly total: number;
  /** Maximum number of connections that wait for the same caller. */
  readonly waitingPerCaller: number;
  /** Identifies the caller that opened a connection; undefined for a reverse proxy, which has many callers. */
  readonly toPeer: (address: string) => string | undefined;
  /** Identifies the caller that sent a request, directly or through a reverse proxy. */
  readonly toCaller: (request: IncomingMessage) => string;
};

/** Connections in the order in which they began to wait, each with its request if the request's body is incomplete. */
type Waiting = Map<Socket, IncomingMessage | undefined>;

/**
 * Reserves connections for requests while clients keep others open. At the limit, closes connections that wait for
 * their clients to send a request, to send the rest of its body, or to read the response, starting with the oldest
 * connection of the caller with the most waiting connections. WebSockets and connections with a request in progress
 * stay open. TLS connections are included once their handshake is done.
 * @returns A listener to call for each request in turn.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): RequestListener {
  /** All connections, with the callers that opened them. */
  const open = new Map<Socket, string | undefined>();
  /** Waiting connections by caller. The caller is undefined if a proxy keeps the connection for its next request. */
  const waiting = new Map<string | undefined, Waiting>();
  const callers = new WeakMap<Socket, string | undefined>();

  const stopWaiting = (socket: Socket): void => {
    const caller = callers.get(socket);
    const own = waiting.get(caller);
    if (own?.delete(socket) === true && own.size === 0) waiting.delete(caller);
  };
  const closeFirst = (sockets: Waiting): boolean => {
    for (const [socket, request] of sockets) {
      // The server hasn't read all data that has arrived, so the request isn't waiting for its client.
      if (request !== undefined && (request.complete || request.readableLength > 0)) continue;
      // Call this before the "close" event, so that the next call doesn't choose the same connection.
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
    // `closeFirst` always finds a connection, because the new connection is waiting.
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
    // This listener runs before the connection's next request starts.
    response.prependOnceListener("close", () => wait(socket, open.get(socket)));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
