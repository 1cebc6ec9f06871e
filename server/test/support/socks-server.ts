import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createServer } from "@pondwader/socks5-server";

/** A SOCKS5 proxy on a port of loopback. Disposing ends it. */
export type SocksServer = AsyncDisposable & {
  readonly port: number;
  /** `host:port` of each target it was asked for. */
  readonly targets: readonly string[];
};

/** @param auth User name and password that it wants; without it, anybody may use it. */
export async function openSocksServer(auth?: {
  readonly username: string;
  readonly password: string;
}): Promise<SocksServer> {
  const targets: string[] = [];
  const protocol = createServer({ ...(auth && { auth }) });
  protocol.setRulesetValidator(({ destAddress, destPort }) => {
    targets.push(`${destAddress}:${destPort}`);
    return true;
  });
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    protocol._handleConnection(socket);
  });
  server.listen(0, "127.0.0.1");
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
