import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import type { Duplex } from "node:stream";
import { TunnelFailure } from "./failure.ts";

/** The loopback address, which other machines can't connect to. */
const LOOPBACK = "127.0.0.1";

/**
 * Listens on the loopback address. Disposing closes the server and every connection.
 * @param port The port to listen on. 0 means a free port.
 * @throws {TunnelFailure} `PortTaken`, or `Refused` if the system doesn't allow the port.
 */
export async function listen(server: Server, port: number): Promise<AsyncDisposable & { readonly port: number }> {
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
    const text = `Port ${port} of ${LOOPBACK} is in use by another program: choose one with --port. 0 means a free port.`;
    return new TunnelFailure("PortTaken", text, { cause });
  }
  const text = `The system does not allow listening on ${LOOPBACK}:${port}: ${cause.message}`;
  return new TunnelFailure("Refused", text, { cause });
}
