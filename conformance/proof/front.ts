import { once } from "node:events";
import { createServer, connect, type Socket } from "node:net";

/** A relay in front of a server, for what the server decides before anybody else sees it. */
export type Front = AsyncDisposable & { readonly url: URL };

/**
 * @param handshake The head of each WebSocket handshake, as the server is to see it; all else passes as it is.
 */
export async function openFront(behind: URL, handshake: (head: string) => string): Promise<Front> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const inner = connect(Number(behind.port), behind.hostname);
    for (const [socket, other] of [
      [client, inner],
      [inner, client],
    ] as const) {
      sockets.add(socket);
      // An error is followed by the closing, which ends the other side too.
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

/** The head comes in one piece, since clients write it at once. */
function alter(bytes: Buffer, handshake: (head: string) => string): Buffer {
  const text = bytes.toString("latin1");
  return /^upgrade: *websocket/im.test(text) ? Buffer.from(handshake(text), "latin1") : bytes;
}
