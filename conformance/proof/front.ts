import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";

/** A TCP relay in front of a server, for faults in handshakes that the server itself refuses. */
export type Front = AsyncDisposable & { readonly url: URL };

/** @param handshake Changes the head of each WebSocket handshake. All other data passes unchanged. */
export async function openFront(behind: URL, handshake: (head: string) => string): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const inner = connect(Number(behind.port), behind.hostname);
    for (const [socket, other] of [
      [client, inner],
      [inner, client],
    ] as const) {
      sockets.add(socket);
      // After an error comes the close event, which closes the other side.
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
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return {
    url: new URL(`http://127.0.0.1:${address.port}`),
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Clients write the head at once, so it arrives in one chunk. */
function alter(bytes: Buffer, handshake: (head: string) => string): Buffer {
  const text = bytes.toString("latin1");
  return /^upgrade: *websocket/im.test(text) ? Buffer.from(handshake(text), "latin1") : bytes;
}
