import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import type { BrowserClient, DesktopTarget } from "../../../src/ports/browser-client.ts";

/** A desktop whose RFB server sends what the test writes. */
export type ScriptedDesktop = AsyncDisposable & {
  readonly target: DesktopTarget;
  /** Resolves with the server side of the next RFB connection. */
  next(): Promise<Socket>;
  /** Number of open connections to the RFB server. */
  readonly connections: number;
  /** Viewers' events: "admitted", "authenticated", "left". */
  readonly events: readonly string[];
  /** Disconnects all viewers, as if the desktop had stopped. */
  stop(): void;
};

/** An RFB server's handshake messages. */
export const VERSION = Buffer.from("RFB 003.008\n");
export const TYPES = Buffer.from([1, 2]);
export const CHALLENGE = Buffer.alloc(16, 7);
export const OK = Buffer.alloc(4);
export const WRONG = Buffer.from([0, 0, 0, 1]);
/** The server's side of a successful handshake. */
export const AUTHENTICATED = Buffer.concat([VERSION, TYPES, CHALLENGE, OK]);

export async function openScriptedDesktop(): Promise<ScriptedDesktop> {
  const open = new Set<Socket>();
  const waiting: Socket[] = [];
  const callers: ((socket: Socket) => void)[] = [];
  const viewers = new Set<BrowserClient>();
  const events: string[] = [];
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}).once("close", () => open.delete(socket));
    const caller = callers.shift();
    if (caller === undefined) waiting.push(socket);
    else caller(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    target: {
      openedHost: "worker.example:8080",
      async connect(signal) {
        const socket = connect(port, "127.0.0.1");
        try {
          await once(socket, "connect", { signal });
          return socket;
        } catch (error) {
          socket.destroy();
          throw error;
        }
      },
      admitViewer(viewer) {
        viewers.add(viewer);
        events.push("admitted");
        return {
          authenticated: () => void events.push("authenticated"),
          leave: () => {
            if (viewers.delete(viewer)) events.push("left");
          },
        };
      },
    },
    next() {
      const socket = waiting.shift();
      return socket === undefined ? new Promise((resolve) => callers.push(resolve)) : Promise.resolve(socket);
    },
    get connections() {
      return open.size;
    },
    events,
    stop() {
      for (const viewer of viewers) viewer.end(1000, "desktop stopped");
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
