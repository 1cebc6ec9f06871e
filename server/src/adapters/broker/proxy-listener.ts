import { once } from "node:events";
import { createServer, type ListenOptions, type Socket } from "node:net";

/**
 * Listens for connections to a browser's proxy. Disposing stops that, and removes the file of a Unix socket.
 * @throws {Error} If it can't listen there. Releases everything first.
 */
export async function listenForProxy(
  target: ListenOptions,
  accept: (socket: Socket) => void,
): Promise<Disposable & { readonly port: number | undefined }> {
  const server = createServer(accept);
  server.listen(target);
  await once(server, "listening");
  // Without a free file descriptor the browser loses a connection, and the server keeps running.
  server.on("error", () => undefined);
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port : undefined,
    [Symbol.dispose]: () => void server.close(),
  };
}
