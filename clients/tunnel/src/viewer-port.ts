import { type Server, type Socket, createServer } from "node:net";
import { createWebSocketStream } from "ws";
import { connect } from "./connect.ts";
import { ABNORMAL } from "./devtools-session.ts";
import { toPlainText, type TunnelFailure } from "./failure.ts";
import { letGo, splice } from "./splice.ts";

/** Maximum frame size, in bytes. Servers send smaller frames. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

type ViewerEvents = {
  /** Reports an event that concerns one viewer. */
  note(what: string): void;
  /** Reports that the desktop has stopped. */
  end(why: string): void;
};

/** Creates a server for VNC viewers. It sends each viewer's bytes as binary frames on a separate WebSocket. */
export function createViewerPort(url: URL, events: ViewerEvents): Server {
  return createServer({ pauseOnConnect: true, noDelay: true }, (viewer) => void connectViewer(viewer, url, events));
}

/**
 * Checks that the desktop exists by opening a connection and closing it immediately.
 * @throws {TunnelFailure} If the connection fails.
 */
export async function probeDesktop(url: URL): Promise<void> {
  const { socket, opened } = connect(url, MAX_MESSAGE_BYTES);
  await opened;
  socket.terminate();
}

async function connectViewer(viewer: Socket, url: URL, events: ViewerEvents): Promise<void> {
  const { socket, opened } = connect(url, MAX_MESSAGE_BYTES);
  // Listen before the connection is open, because the server may send the first message together with the handshake.
  const desktop = createWebSocketStream(socket, { readableObjectMode: false });
  desktop.on("error", () => {});
  viewer.on("error", () => {});
  let hasLeft = false;
  for (const event of ["end", "close"]) viewer.once(event, () => (hasLeft = true));
  const giveUp = (): void => socket.terminate();
  viewer.once("close", giveUp);
  try {
    await opened;
    viewer.off("close", giveUp);
    socket.once("close", (code, reason) => {
      if (!hasLeft) void explain(code, toPlainText(reason.toString()), url, events);
    });
    splice(viewer, desktop);
  } catch (error) {
    if (!hasLeft) report(error, "A viewer could not be connected", events);
    letGo(viewer);
  }
}

/** Reports whether the server disconnected only this viewer or the desktop has stopped. */
async function explain(code: number, reason: string, url: URL, events: ViewerEvents): Promise<void> {
  const ending = code === ABNORMAL ? "the connection was lost" : reason || `close code ${code}`;
  try {
    await probeDesktop(url);
    events.note(`A viewer was disconnected: ${ending}.`);
  } catch (error) {
    report(error, `A viewer was disconnected: ${ending}`, events, `The desktop has stopped (${ending}).`);
  }
}

function report(error: unknown, what: string, events: ViewerEvents, end?: string): void {
  const { name, message } = error as TunnelFailure;
  if (name === "NotFound") events.end(end ?? `The desktop has stopped. ${message}`);
  else events.note(`${what}. ${message}`);
}
