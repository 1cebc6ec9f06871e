import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, createServer as createHttpServer } from "node:http";
import { type Server, type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";

/** A DevTools server without a browser. Disposing closes it and all its connections. */
export type FakeDevtools = AsyncDisposable & {
  /** The path of the server's Unix socket. */
  readonly path: string;
  /** The number of open connections. */
  readonly connections: ReadonlySet<Socket>;
};

/** Opens a server that accepts WebSockets. */
export async function openFakeDevtools(
  onClient: (client: WebSocket, request: IncomingMessage) => void,
): Promise<FakeDevtools> {
  const http = createHttpServer();
  const webSockets = new WebSocketServer({ server: http, maxPayload: 2 ** 30 });
  webSockets.on("connection", (client, request) => {
    client.on("error", () => {});
    onClient(client, request);
  });
  return listen(http);
}

/** Opens a server that passes each TCP connection to the test. */
export function openRawDevtools(onConnection: (socket: Socket) => void): Promise<FakeDevtools> {
  return listen(createServer(onConnection));
}

async function listen(server: Server): Promise<FakeDevtools> {
  const folder = await mkdtemp(join(tmpdir(), "devtools-"));
  const path = join(folder, "socket");
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.on("error", () => {}).once("close", () => connections.delete(socket));
  });
  server.listen(path);
  await once(server, "listening");
  return {
    path,
    connections,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
      await rm(folder, { recursive: true });
    },
  };
}
