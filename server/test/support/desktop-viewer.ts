import { once } from "node:events";
import type { Duplex } from "node:stream";
import { type ClientOptions, createWebSocketStream, WebSocket } from "ws";
import { openRfb, type RfbClient } from "./rfb-client.ts";
import { until } from "./until.ts";

/** A viewer that comes the way viewers do: over the desktop's WebSocket. */
export type DesktopViewer = Omit<RfbClient, "closed"> &
  AsyncDisposable & {
    readonly socket: WebSocket;
    /** Waits until the pixel has the colour: red, green and blue in six hexadecimal digits. */
    untilColor(x: number, y: number, color: string): Promise<void>;
    /** Resolves with how the server ended the connection. */
    readonly closed: Promise<Ending>;
  };

export type Ending = { readonly code: number; readonly reason: string };

/** @throws {RfbRefusal} When the password is wrong. @throws {Error} When the upgrade is refused, with its status. */
export async function openViewer(url: string, password: string, options: ClientOptions = {}): Promise<DesktopViewer> {
  const { socket, stream, closed } = await knock(url, options);
  const viewer = await openRfb(stream, password);
  return {
    ...viewer,
    socket,
    closed,
    async untilColor(x, y, color) {
      await until(
        async () => (await viewer.look()).at(x, y),
        (seen) => seen === color,
      );
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

type Knock = { readonly socket: WebSocket; readonly stream: Duplex; readonly closed: Promise<Ending> };

/** Connects, and says nothing. */
export async function knock(url: string, options: ClientOptions = {}): Promise<Knock> {
  const socket = new WebSocket(url, options);
  const closed = new Promise<Ending>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  // Before it is open: the screen speaks first, and what nobody listens to is lost.
  const stream = createWebSocketStream(socket);
  stream.on("error", () => {});
  await once(socket, "open");
  return { socket, stream, closed };
}
