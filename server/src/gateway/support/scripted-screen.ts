import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";
import type { DesktopTarget, GatewayClient } from "../target.ts";

/** A desktop whose screen says what a test lets it say. */
export type ScriptedDesktop = AsyncDisposable & {
  readonly target: DesktopTarget;
  /** The screen's side of the next connection. */
  next(): Promise<Socket>;
  /** Connections to the screen that are not closed. */
  readonly connections: number;
  /** What happened to visitors: "visit", "enter", "leave". */
  readonly events: readonly string[];
  /** What Stop does. */
  stop(): void;
};

/** What an RFB server says to a viewer whose password is right, up to the end of the handshake, and to one that is wrong. */
export const VERSION = Buffer.from("RFB 003.008\n");
export const TYPES = Buffer.from([1, 2]);
export const CHALLENGE = Buffer.alloc(16, 7);
export const OK = Buffer.alloc(4);
export const WRONG = Buffer.from([0, 0, 0, 1]);
export const ENTERED = Buffer.concat([VERSION, TYPES, CHALLENGE, OK]);

export async function openScriptedDesktop(): Promise<ScriptedDesktop> {
  const open = new Set<Socket>();
  const waiting: Socket[] = [];
  const callers: ((socket: Socket) => void)[] = [];
  const visitors = new Set<GatewayClient>();
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
      admitViewer(visitor) {
        visitors.add(visitor);
        events.push("visit");
        return {
          authenticated: () => void events.push("enter"),
          leave: () => {
            if (visitors.delete(visitor)) events.push("leave");
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
      for (const visitor of visitors) visitor.end(1000, "desktop stopped");
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, "close");
    },
  };
}
