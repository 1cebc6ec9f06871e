import { addAbortSignal } from "node:stream";
import type { Thumbnail } from "../../ports/display.ts";
import type { SandboxSocket } from "../../ports/sandboxes.ts";
import { type Threads, threadScript } from "../../ports/threads.ts";
import { ByteReader } from "./byte-reader.ts";
import { type Pixels, logIn, readPixels } from "./rfb-client.ts";
import type { ScreenPasswords } from "./screen-passwords.ts";

const SCRIPT = threadScript(import.meta.url, "shrink-thread");
/** Shrinking takes 0.1 s, more on a busy machine. */
const MAX_MS = 10_000;

/** Captures a screen as viewers see it, over its own view-only connection. */
export async function captureScreen(
  rfb: SandboxSocket,
  passwords: ScreenPasswords,
  threads: Threads,
  signal: AbortSignal,
): Promise<Thumbnail> {
  const pixels = await fetchPixels(rfb, passwords, signal);
  return {
    type: "image/png",
    bytes: (await threads.run(SCRIPT, pixels, MAX_MS, { signal, account: "" })) as Uint8Array,
  };
}

async function fetchPixels(rfb: SandboxSocket, passwords: ScreenPasswords, signal: AbortSignal): Promise<Pixels> {
  const socket = addAbortSignal(signal, await rfb.connect(signal));
  // The reader reports errors where it waits for bytes.
  socket.on("error", () => {});
  try {
    const reader = new ByteReader(socket);
    await passwords.use((password) => logIn(reader, socket, password));
    return await readPixels(reader, socket);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}
