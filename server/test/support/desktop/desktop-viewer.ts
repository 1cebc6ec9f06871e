import { once } from "node:events";
import type { Duplex } from "node:stream";
import { type ClientOptions, createWebSocketStream, WebSocket } from "ws";
import { openRfb, type RfbClient } from "./rfb-client.ts";
import { until } from "../until.ts";

/** A viewer that connects over the desktop's WebSocket. */
export type DesktopViewer = Omit<RfbClient, "closed"> &
  AsyncDisposable & {
    readonly socket: WebSocket;
    /** Waits until the pixel has the given color: red, green and blue as six hexadecimal digits. */
    untilColor(x: number, y: number, color: string): Promise<void>;
    /** Resolves with the code and reason of the server's close frame. */
    readonly closed: Promise<Ending>;
  };

type Ending = { readonly code: number; readonly reason: string };

/** @throws {RfbRefusal} If the password is wrong. @throws {Error} If the upgrade is refused, with the status. */
export async function openViewer(url: string, password: string, options: ClientOptions = {}): Promise<DesktopViewer> {
  const { socket, stream, closed } = await connectViewer(url, options);
  const viewer = await openRfb(stream, password);
  return {
    ...viewer,
    socket,
    closed,
    async untilColor(x, y, color) {
      await until(
        async () => (await viewer.capture()).at(x, y),
        (current) => current === color,
      );
    },
    async [Symbol.asyncDispose]() {
      socket.terminate();
      await closed;
    },
  };
}

type ViewerConnection = { readonly socket: WebSocket; readonly stream: Duplex; readonly closed: Promise<Ending> };

/** Connects without sending data. */
export async function connectViewer(url: string, options: ClientOptions = {}): Promise<ViewerConnection> {
  const socket = new WebSocket(url, options);
  const closed = new Promise<Ending>((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: String(reason) }));
  });
  // The screen sends data first, and bytes that arrive before a listener is added are lost.
  const stream = createWebSocketStream(socket);
  stream.on("error", () => {});
  await once(socket, "open");
  return { socket, stream, closed };
}
