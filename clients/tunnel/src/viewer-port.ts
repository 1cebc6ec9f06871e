import { type Server, type Socket, createServer } from "node:net";
import { createWebSocketStream } from "ws";
import { connect } from "./connect.ts";
import { ABNORMAL } from "./devtools-session.ts";
import type { TunnelFailure } from "./failure.ts";
import { toPlainText } from "./plain-text.ts";
import { letGo, splice } from "./splice.ts";

/** Servers cut an RFB connection into frames as they like; none has a reason to send one as long as this. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export type ViewerEvents = {
  /** Something happened to one viewer only. */
  note(what: string): void;
  /** The desktop is no more. */
  end(why: string): void;
};

/** A port for VNC viewers: each connection's bytes become the binary frames of a WebSocket of its own. */
export function createViewerPort(url: URL, events: ViewerEvents): Server {
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (viewer) => {
    void connectViewer(viewer, url, events);
  });
  return server;
}

/**
 * Finds out whether the desktop is there, by a connection that is given up before it says anything.
 * @throws {TunnelFailure}
 */
export async function probeDesktop(url: URL): Promise<void> {
  const { socket, opened } = connect(url, MAX_MESSAGE_BYTES);
  await opened;
  socket.terminate();
}

async function connectViewer(viewer: Socket, url: URL, events: ViewerEvents): Promise<void> {
  const { socket, opened } = connect(url, MAX_MESSAGE_BYTES);
  // Before it is open: the server speaks first, and may do so in the packet that opens it.
  const desktop = createWebSocketStream(socket, { readableObjectMode: false });
  desktop.on("error", () => {});
  viewer.on("error", () => {});
  let hasLeft = false;
  viewer.once("end", () => (hasLeft = true)).once("close", () => (hasLeft = true));
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

/** The server has let a viewer go: because of the viewer, or because the desktop is no more. */
async function explain(code: number, reason: string, url: URL, events: ViewerEvents): Promise<void> {
  const told = code === ABNORMAL ? "the connection was lost" : reason || `close code ${code}`;
  try {
    await probeDesktop(url);
    events.note(`A viewer was disconnected: ${told}.`);
  } catch (error) {
    report(error, `A viewer was disconnected: ${told}`, events, `The desktop has ended (${told}).`);
  }
}

function report(error: unknown, what: string, events: ViewerEvents, end?: string): void {
  const { name, message } = error as TunnelFailure;
  if (name === "NotFound") events.end(end ?? `The desktop has ended. ${message}`);
  else events.note(`${what}. ${message}`);
}
