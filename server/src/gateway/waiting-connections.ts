import type { Server } from "node:http";
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
 * Keeps room for requests when others hold connections open. If there are too many connections, those that wait for a request
 * are closed, the oldest of the address that has most of them first. WebSockets, and connections with a request in progress, stay.
 * With TLS, connections count when their handshake is complete.
 */
export function limitConnections(server: Server, { total, waitingPerAddress, isShared }: ConnectionLimits): void {
  const open = new Set<Socket>();
  /** By address, in the order in which they began to wait. */
  const waiting = new Map<string, Set<Socket>>();

  const wait = (socket: Socket): void => {
    const { remoteAddress = "" } = socket;
    const sameAddress = waiting.get(remoteAddress) ?? new Set();
    waiting.set(remoteAddress, sameAddress.add(socket));
    if (sameAddress.size > waitingPerAddress && !isShared(remoteAddress)) closeFirst(sameAddress);
  };
  const stopWaiting = (socket: Socket): void => {
    for (const [address, sockets] of waiting) {
      if (sockets.delete(socket) && sockets.size === 0) waiting.delete(address);
    }
  };

  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      stopWaiting(socket);
    });
    wait(socket);
    if (open.size <= total) return;
    const [most] = [...waiting.values()].toSorted((one, other) => other.size - one.size);
    // The new one waits, too, so there is always one to close.
    if (most !== undefined) closeFirst(most);
  });
  server.on("request", ({ socket }, response) => {
    stopWaiting(socket);
    response.once("close", () => {
      if (!socket.destroyed) wait(socket);
    });
  });
  server.on("upgrade", ({ socket }) => stopWaiting(socket));
}

function closeFirst(sockets: ReadonlySet<Socket>): void {
  const [first] = sockets;
  first?.destroy();
}
