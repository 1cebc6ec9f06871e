import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/**
 * How a network is broken. `silent`: bytes arrive in neither direction; `deaf`: only those to the server arrive; `refusing`: all
 * connections are reset, and so are new ones.
 */
export type Breakage = "silent" | "deaf" | "refusing";

/** A TCP relay to a server, whose connections a test can cut. Disposing closes it. */
export type TcpRelay = AsyncDisposable & {
  /** The server's URL with the relay's port. */
  readonly url: URL;
  /** Resets all connections. */
  cut(): void;
  /** Breaks it, until it is mended: then, what was held arrives. */
  breakOff(how: Breakage): void;
  mend(): void;
};

export async function openTcpRelay(to: URL): Promise<TcpRelay> {
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };
  const pairs = new Set<readonly [client: Socket, upstream: Socket]>();
  let state: Breakage | "whole" = "whole";
  const flow = ([client, upstream]: readonly [Socket, Socket]): void => {
    client.unpipe(upstream).pause();
    upstream.unpipe(client).pause();
    if (state === "whole" || state === "deaf") client.pipe(upstream);
    if (state === "whole") upstream.pipe(client);
  };
  const setState = (next: Breakage | "whole"): void => {
    state = next;
    if (state === "refusing") cut();
    else pairs.forEach(flow);
  };
  const relay = createServer((client) => {
    if (state === "refusing") return void hold(client).resetAndDestroy();
    const upstream = hold(connect(Number(to.port), to.hostname));
    const pair = [hold(client), upstream] as const;
    pairs.add(pair);
    client.once("close", () => pairs.delete(pair));
    flow(pair);
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
    breakOff: setState,
    mend: () => setState("whole"),
    async [Symbol.asyncDispose]() {
      const closed = once(relay, "close");
      relay.close();
      cut();
      await closed;
    },
  };
}
