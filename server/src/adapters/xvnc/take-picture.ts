import type { SandboxSocket } from "../../ports/sandboxes.ts";
import type { Thumbnail } from "../../ports/display.ts";
import { type Threads, threadScript } from "../../ports/threads.ts";
import { ByteReader } from "./byte-reader.ts";
import type { ViewerAccess } from "./viewer-access.ts";
import { type Frame, readScreen, showPassword } from "./read-screen.ts";

const SCRIPT = threadScript(import.meta.url, "shrink-thread");
/** It takes 0.1 s, more on a busy machine. */
const MAX_MS = 5000;

/** Takes pictures of a screen the way viewers see it, over a connection of its own that only looks. */
export function pictureTaker(
  rfb: SandboxSocket,
  door: ViewerAccess,
  threads: Threads,
): (signal: AbortSignal) => Promise<Thumbnail> {
  return async (signal) => {
    const frame = await takeFrame(rfb, door, signal);
    return { type: "image/png", bytes: (await threads.run(SCRIPT, frame, MAX_MS, signal)) as Uint8Array };
  };
}

async function takeFrame(rfb: SandboxSocket, door: ViewerAccess, signal: AbortSignal): Promise<Frame> {
  const socket = await rfb.connect(signal);
  const leave = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", leave);
  // Seen where the next bytes are waited for.
  socket.on("error", () => {});
  try {
    signal.throwIfAborted();
    const reader = new ByteReader(socket);
    await door.pass((password) => showPassword(reader, socket, password));
    return await readScreen(reader, socket);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener("abort", leave);
    socket.destroy();
  }
}
