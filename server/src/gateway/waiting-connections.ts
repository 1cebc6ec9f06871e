import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

export type ConnectionLimits = {
  /** Connections of all kinds. */
  readonly total: number;
  /** Connections from one address that wait for a request. */
  readonly waitingPerAddress: number;
  /** Whether many users come from an address: a reverse proxy's. */
  readonly isShared: (address: string) => boolean;
};

/**
 * Keeps room for requests when others hold connections open. If there are too many connections, those that wait for
 * their client are closed, the oldest of the address that has most of them first: they wait for a request, for the rest
 * of its body, or until the client has read the answer. WebSockets, and connections with a request in progress, stay.
 * With TLS, connections count when their handshake is complete.
 * @returns A listener for requests whose turn has come.
 */
export function limitConnections(
  server: Server,
  { total, waitingPerAddress, isShared }: ConnectionLimits,
): RequestListener {
  /** With the address of each. */
  const open = new Map<Socket, string>();
  /** By address, in the order in which they began to wait. */
  const waiting = new Map<string, Set<Socket>>();

  const stopWaiting = (socket: Socket): void => {
    const address = open.get(socket) ?? "";
    const sameAddress = waiting.get(address);
    if (sameAddress?.delete(socket) === true && sameAddress.size === 0) waiting.delete(address);
  };
  const closeFirst = (sockets: ReadonlySet<Socket>): void => {
    const [first] = sockets;
    if (first === undefined) return;
    // Before it reports that it has closed, so that the next one isn't counted twice.
    stopWaiting(first);
    first.destroy();
  };
  const wait = (socket: Socket): void => {
    const address = open.get(socket);
    if (address === undefined) return;
    const sameAddress = waiting.get(address) ?? new Set();
    waiting.set(address, sameAddress.add(socket));
    if (sameAddress.size > waitingPerAddress && !isShared(address)) closeFirst(sameAddress);
  };

  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    open.set(socket, socket.remoteAddress ?? "");
    socket.once("close", () => {
      stopWaiting(socket);
      open.delete(socket);
    });
    wait(socket);
    if (open.size <= total) return;
    const [most] = [...waiting.values()].toSorted((one, other) => other.size - one.size);
    // The new one waits, too, so there is always one to close.
    if (most !== undefined) closeFirst(most);
  });
  server.on("upgrade", ({ socket }) => stopWaiting(socket));

  return (request, response) => {
    const { socket } = request;
    stopWaiting(socket);
    if (hasBody(request)) {
      wait(socket);
      request.once("end", () => {
        if (!response.writableEnded) stopWaiting(socket);
      });
    }
    response.once("prefinish", () => wait(socket));
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
