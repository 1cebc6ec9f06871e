import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createServer, defaultConnectionHandler } from "@pondwader/socks5-server";

/** A SOCKS5 proxy that connects to this machine instead of the target host. Disposing stops the proxy. */
export type SocksServer = AsyncDisposable & {
  readonly port: number;
  /** Each target's `host:port`. */
  readonly targets: readonly string[];
};

/**
 * @param auth The required user name and password. Default: none.
 * @param host The address to listen on.
 */
export async function openSocksServer(
  auth?: { readonly username: string; readonly password: string },
  host = "127.0.0.1",
): Promise<SocksServer> {
  const targets: string[] = [];
  const protocol = createServer({ ...(auth && { auth }) });
  protocol.setConnectionHandler((connection, sendStatus) => {
    targets.push(`${connection.destAddress}:${connection.destPort}`);
    return defaultConnectionHandler(Object.assign(connection, { destAddress: "127.0.0.1" }), sendStatus);
  });
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    protocol._handleConnection(socket);
  });
  server.listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
