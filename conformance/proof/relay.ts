import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";

/** A relay that modifies WebSocket handshakes before the server reads them. */
type Relay = AsyncDisposable & { readonly url: URL };

/** @param handshake Modifies the head of each WebSocket handshake. All other data is forwarded unchanged. */
export async function openRelay(server: URL, handshake: (head: string) => string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const inner = connect(Number(server.port), server.hostname);
    for (const [socket, other] of [
      [client, inner],
      [inner, client],
    ] as const) {
      sockets.add(socket);
      // Node emits "close" after an error, and the "close" handler destroys the other socket.
      socket
        .on("error", () => {})
        .once("close", () => {
          sockets.delete(socket);
          other.destroy();
        });
    }
    inner.pipe(client);
    client.once("data", (head: Buffer) => {
      inner.write(alter(head, handshake));
      client.pipe(inner);
    });
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server must have a port.");
  return {
    url: new URL(`http://127.0.0.1:${address.port}`),
    async [Symbol.asyncDispose]() {
      const closed = once(listener, "close");
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Clients write the head in a single call, so it arrives in one chunk. */
function alter(bytes: Buffer, handshake: (head: string) => string): Buffer {
  const text = bytes.toString("latin1");
  return /^upgrade: *websocket/im.test(text) ? Buffer.from(handshake(text), "latin1") : bytes;
}
