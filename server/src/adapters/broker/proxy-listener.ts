import { once } from "node:events";
import { createServer, type ListenOptions, type Socket } from "node:net";

/**
 * Listens for connections to a browser's proxy. Disposing stops listening and removes a Unix socket's file.
 * @throws {Error} If listening fails, after releasing all resources.
 */
export async function listenForProxy(
  target: ListenOptions,
  accept: (socket: Socket) => void,
): Promise<Disposable & { readonly port: number | undefined }> {
  const server = createServer(accept);
  server.listen(target);
  await once(server, "listening");
  // Without a free descriptor, the browser loses a connection, but the server keeps running.
  server.on("error", () => undefined);
  const address = server.address();
  return {
    port: typeof address === "object" ? address?.port : undefined,
    [Symbol.dispose]: () => void server.close(),
  };
}
