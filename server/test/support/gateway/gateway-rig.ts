import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { WebSocket } from "ws";
import { type Gateway, type GatewayOptions, attachGateway } from "../../../src/gateway/gateway.ts";
import type { GatewayLimits } from "../../../src/gateway/relay/limits.ts";
import type { BrowserClient, DevtoolsTarget } from "../../../src/ports/browser-client.ts";
import { renderUpgradeRefusal } from "../../../src/gateway/upgrade/refusal.ts";
import { isWebSocketUpgrade } from "../../../src/gateway/upgrade/upgrade-request.ts";

/** A browser that counts its clients. */
export type CountedTarget = DevtoolsTarget & {
  /** The connected clients. */
  readonly clients: ReadonlySet<BrowserClient>;
  readonly joined: number;
  /** The number of clients that have left. */
  readonly leaves: number;
  /** Resolves when `leaves` is `count`. */
  left(count: number): Promise<void>;
  /** Disconnects all clients, as if the browser had ended. */
  end(code: number, reason: string): void;
};

/** @param where The port on 127.0.0.1, or the path of the Unix socket, on which a DevTools server listens. */
export function countedTarget(
  where: { port: number } | { path: string },
  devtoolsPath = "/devtools/browser/own-guid",
): CountedTarget {
  const clients = new Set<BrowserClient>();
  const waiting: { count: number; resolve: () => void }[] = [];
  let joined = 0;
  let leaves = 0;
  return {
    devtoolsPath,
    openedHost: "worker.example:8080",
    async connect(signal) {
      const socket = connect({ host: "127.0.0.1", ...where });
      await once(socket, "connect", { signal });
      return socket;
    },
    join(client) {
      clients.add(client);
      joined += 1;
      return () => {
        clients.delete(client);
        leaves += 1;
        for (const one of waiting) if (one.count === leaves) one.resolve();
      };
    },
    clients,
    get joined() {
      return joined;
    },
    get leaves() {
      return leaves;
    },
    left: (count) => new Promise((resolve) => (count === leaves ? resolve() : waiting.push({ count, resolve }))),
    end: (code, reason) => {
      for (const client of clients) client.end(code, reason);
    },
  };
}

/** Disposing asserts that all clients and timers are released. */
export type GatewayRig = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly port: number;
  readonly browsers: Map<string, CountedTarget>;
  /** Opens a WebSocket, whose messages and errors the test handles. */
  openClient(path?: string): Promise<WebSocket>;
  /** Opens a TCP connection and sends text. The connection stays half-open when the server closes its end. */
  send(text: string): Socket;
  /** The number of open connections on the server. */
  connections(): Promise<number>;
};

/**
 * Starts a server on a free port with only a gateway and one browser: `/devtools/browser/known`.
 * @param options.host The address to listen on. Default: 127.0.0.1.
 */
export async function openGatewayRig(
  target: CountedTarget,
  options: Partial<Omit<GatewayOptions, "limits">> & { limits?: Partial<GatewayLimits>; host?: string } = {},
): Promise<GatewayRig> {
  const browsers = new Map([["known", target]]);
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer({ shouldUpgradeCallback: isWebSocketUpgrade }, (_, response) => response.end("plain"));
  const gateway = attachGateway(server, {
    findDesktop: () => undefined,
    findWorker: () => undefined,
    findBrowser: (id) => browsers.get(id),
    pathPrefix: "",
    publicHost: undefined,
    origins: new Set(),
    renderRefusal: (refusal) => renderUpgradeRefusal(refusal, "request-1"),
    clock: {
      after(delayMs, call) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          call();
        }, delayMs);
        timers.add(timer);
        return () => {
          timers.delete(timer);
          clearTimeout(timer);
        };
      },
    },
    ...options,
  });
  server.listen(0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    gateway,
    port,
    browsers,
    async openClient(path = "/devtools/browser/known") {
      const client = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
      await once(client, "open");
      return client;
    },
    send(text) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      socket.write(text);
      return socket;
    },
    connections: () => promisify(server.getConnections.bind(server))(),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      // Node emits "close" on a server before it emits "close" on the sockets.
      for (let turns = 0; turns < 3; turns += 1) await nextTurn();
      assert.deepEqual({ clients: gateway.clients, timers: timers.size }, { clients: 0, timers: 0 });
      for (const { clients, joined, leaves } of [target, ...browsers.values()]) {
        assert.deepEqual({ clients: clients.size, leaves }, { clients: 0, leaves: joined });
      }
    },
  };
}

/** Builds the head of a client's opening handshake, without headers that are `undefined`. */
export function upgradeHead(path: string, headers: Record<string, string | undefined> = {}): string {
  const all = {
    Host: "127.0.0.1",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [`GET ${path} HTTP/1.1`, ...lines, "\r\n"].join("\r\n");
}

/**
 * A 101 response with unnecessary headers, and the 101 response that the client receives, each followed by a close
 * frame.
 */
export const HOSTILE_101 = [
  "HTTP/1.1 101 Hello",
  "Set-Cookie: session=1",
  "upgrade: websocket",
  "Connection: upgrade",
  "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  "Sec-WebSocket-Protocol: binary",
  "Sec-WebSocket-Protocol-2: x",
  "Strict-Transport-Security: max-age=31536000",
  "X-Sec-WebSocket-Accept: x",
  "\r\n\x88\x02\x03\xe8",
].join("\r\n");
export const PASSED_101 = [
  "HTTP/1.1 101 Switching Protocols",
  "Upgrade: websocket",
  "Connection: Upgrade",
  "sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
  "Sec-WebSocket-Protocol: binary",
  "\r\n\x88\x02\x03\xe8",
].join("\r\n");

/** Reads until the peer closes, and then closes this end. */
export async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.once("end", () => socket.destroy());
  await once(socket, "close");
  return Buffer.concat(chunks);
}

/** Reads the plain HTTP response to a refused upgrade. */
export async function readRefusal(
  client: Socket,
): Promise<{ status: number; head: string; body: Record<string, unknown> }> {
  const [head = "", body = ""] = (await readToEnd(client)).toString().split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body: JSON.parse(body) };
}
