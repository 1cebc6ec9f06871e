import { once } from "node:events";
import { type IncomingMessage, type Server, createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { CERTIFICATE, KEY } from "./certificate.fixtures.ts";

const BROWSER = "5bZevVJTz5cCMoBYffCCNsEv5qQrU6U-";
const DESKTOP = "Kp3vVJTz5cCMoBYffCCNsEv5qQrU6U-x";

export const VERSION = {
  protocolVersion: "1.3",
  product: "Chrome/156.0.8078.79",
  revision: "@a21ce95c24ce3964416f09ae1862f53f319eb4d0",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  jsVersion: "15.6.75.27",
};

export const TARGET = { targetId: "T1", type: "page", title: "A page", url: "about:blank", attached: false };

/** A server with one open browser and one started desktop, controlled by the tests. */
export type FakeService = AsyncDisposable & {
  readonly port: number;
  readonly address: string;
  readonly rfbUrl: string;
  /** Current connections. */
  readonly connections: ReadonlySet<WebSocket>;
  /** Open sockets, including sockets whose handshake is pending. */
  readonly streams: ReadonlySet<Duplex>;
  /** All handshake requests, including rejected ones. */
  readonly handshakes: readonly IncomingMessage[];
  /** Removes the browser and the desktop. If a reason is given, disconnects the clients with that reason. */
  end(reason?: string): void;
  /** Destroys every connection to simulate a network failure. */
  cut(): void;
  /** Stops responding on current and new connections. */
  fallSilent(): void;
};

export type Conduct = {
  readonly isSecure?: boolean;
  /** A path prefix. */
  readonly prefix?: string;
  readonly port?: number;
  /** Handles a new connection. The fake service itself answers the tunnel's own commands. */
  readonly onConnection?: (socket: WebSocket, handshake: IncomingMessage) => void;
  /** Responds to upgrade requests with this text, and closes the connection unless the text contains `keep-alive`. */
  readonly refusal?: string;
};

/** Echoes every message. */
export function echo(socket: WebSocket): void {
  socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
}

export async function openFakeService(conduct: Conduct = {}): Promise<FakeService> {
  const { isSecure = false, prefix = "", onConnection = echo, refusal } = conduct;
  let isSilent = false;
  const server: Server = isSecure ? createTlsServer({ key: KEY, cert: CERTIFICATE }) : createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const connections = new Set<WebSocket>();
  const streams = new Set<Duplex>();
  const handshakes: IncomingMessage[] = [];
  const known = new Set([`${prefix}/devtools/browser/${BROWSER}`, `${prefix}/desktop/${DESKTOP}/rfb`]);
  server.on("connection", (stream: Duplex) => {
    streams.add(stream);
    stream.once("close", () => streams.delete(stream));
  });
  server.on("upgrade", (request, stream, head) => {
    handshakes.push(request);
    stream.on("error", () => {});
    // Keep reading: an unread stream doesn't report that the peer has disconnected.
    if (isSilent || refusal?.includes("keep-alive") === true) stream.resume().once("end", () => stream.end());
    if (isSilent) return;
    if (refusal?.includes("keep-alive") === true) return void stream.write(refusal);
    if (refusal !== undefined) return void stream.end(refusal);
    if (!known.has(request.url ?? "")) return void stream.end(NOT_FOUND);
    sockets.handleUpgrade(request, stream, head, (socket) => {
      connections.add(socket);
      socket.on("error", () => {}).once("close", () => connections.delete(socket));
      answerTunnel(socket);
      onConnection(socket, request);
    });
  });
  server.listen(conduct.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const base = `${isSecure ? "wss" : "ws"}://localhost:${port}${prefix}`;
  const cut = (): void => {
    // A paused socket doesn't notice that its stream is destroyed.
    connections.forEach((socket) => socket.resume());
    streams.forEach((stream) => stream.destroy());
  };
  return {
    port,
    address: `${base}/devtools/browser/${BROWSER}`,
    rfbUrl: `${base}/desktop/${DESKTOP}/rfb`,
    connections,
    streams,
    handshakes,
    end(reason) {
      known.clear();
      if (reason !== undefined) connections.forEach((socket) => socket.close(1000, reason));
    },
    cut,
    fallSilent() {
      isSilent = true;
      connections.forEach((socket) => socket.pause());
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      cut();
      await closed;
    },
  };
}

const REFUSAL_BODY = JSON.stringify({
  status: 404,
  name: "BrowserNotFound",
  message: "No open browser has this address.",
  requestId: "r1",
});

const NOT_FOUND = [
  "HTTP/1.1 404 Not Found",
  "Content-Type: application/json",
  `Content-Length: ${REFUSAL_BODY.length}`,
  "Connection: close",
  "",
  REFUSAL_BODY,
].join("\r\n");

/** Responds to commands that the tunnel itself sends. */
function answerTunnel(socket: WebSocket): void {
  socket.on("message", (data: Buffer) => {
    const answers: Readonly<Record<string, unknown>> = {
      "Browser.getVersion": VERSION,
      "Target.getTargets": { targetInfos: [TARGET] },
    };
    const { id, method } = readCommand(data);
    const result = answers[method];
    if (result !== undefined) socket.send(JSON.stringify({ id, result }));
  });
}

function readCommand(data: Buffer): { readonly id: number; readonly method: string } {
  try {
    return JSON.parse(data.toString()) as { id: number; method: string };
  } catch {
    return { id: 0, method: "" };
  }
}
