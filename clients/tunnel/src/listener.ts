import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import type { Duplex } from "node:stream";
import { TunnelFailure } from "./failure.ts";

/** The only address that is listened on: other machines have no way in. */
const LOOPBACK = "127.0.0.1";

/** A server that listens, and the connections that came in by it. */
export type Listener = AsyncDisposable & { readonly port: number };

/**
 * Listens on this machine's loopback. Disposing stops that and cuts every connection.
 * @param port 0 takes a free one.
 * @throws {TunnelFailure} `PortTaken`, or `Refused` when the port may not be listened on.
 */
export async function listen(server: Server, port: number): Promise<Listener> {
  const connections = new Set<Duplex>();
  server.on("connection", (connection: Duplex) => {
    connections.add(connection);
    connection.once("close", () => connections.delete(connection));
  });
  try {
    server.listen(port, LOOPBACK);
    await once(server, "listening");
  } catch (cause) {
    throw toListenFailure(port, cause as NodeJS.ErrnoException);
  }
  let closing: Promise<unknown> | undefined;
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      closing ??= close(server, connections);
      await closing;
    },
  };
}

async function close(server: Server, connections: ReadonlySet<Duplex>): Promise<void> {
  const closed = once(server, "close");
  server.close();
  for (const connection of connections) connection.destroy();
  await closed;
}

function toListenFailure(port: number, cause: NodeJS.ErrnoException): TunnelFailure {
  if (cause.code === "EADDRINUSE") {
    const text = `Port ${port} of ${LOOPBACK} is in use by another program: choose one with --port, 0 takes a free one.`;
    return new TunnelFailure("PortTaken", text, { cause });
  }
  return new TunnelFailure("Refused", `Port ${port} of ${LOOPBACK} may not be listened on: ${cause.message}`, {
    cause,
  });
}
