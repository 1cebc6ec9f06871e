import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A TCP relay to a server, whose connections tests can cut. Disposing closes the relay. */
export type TcpRelay = AsyncDisposable & {
  /** The server's URL with the relay's port. */
  readonly url: URL;
  /** Resets all connections. */
  cut(): void;
};

export async function openTcpRelay(to: URL): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };
  const relay = createServer((client) => {
    const upstream = hold(connect(Number(to.port), to.hostname));
    hold(client).pipe(upstream).pipe(client);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = new URL(to);
  url.port = String((relay.address() as AddressInfo).port);
  const cut = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  return {
    url,
    cut,
    async [Symbol.asyncDispose]() {
      const closed = once(relay, "close");
      relay.close();
      cut();
      await closed;
    },
  };
}
