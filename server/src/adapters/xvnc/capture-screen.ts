import { addAbortSignal } from "node:stream";
import type { Picture } from "../../ports/display.ts";
import type { SandboxSocket } from "../../ports/sandboxes.ts";
import { type Threads, threadScript } from "../../ports/threads.ts";
import { ByteReader } from "../rfb/byte-reader.ts";
import { EXACT, type PixelFormat, type Pixels, SMALL, logIn, readPixels, toLimits } from "./rfb-client.ts";
import type { ScreenPasswords } from "./screen-passwords.ts";

/** What is read from the screen, and the script that makes the picture. Processor times in ms. */
const SIZES = {
  // Takes 100 ms.
  small: { format: SMALL, script: threadScript(import.meta.url, "shrink-thread"), maxMs: 10_000 },
  // Takes up to 1 s.
  full: { format: EXACT, script: threadScript(import.meta.url, "encode-thread"), maxMs: 10_000 },
};

/** Captures a screen as viewers see it, over its own view-only connection. */
export async function captureScreen(
  rfb: SandboxSocket,
  passwords: ScreenPasswords,
  threads: Threads,
  size: keyof typeof SIZES,
  signal: AbortSignal,
): Promise<Picture> {
  const { format, script, maxMs } = SIZES[size];
  const pixels = await fetchPixels(rfb, passwords, format, signal);
  const bytes = (await threads.run(script, pixels, maxMs, { signal, account: "" })) as Uint8Array;
  return { type: "image/png", bytes };
}

async function fetchPixels(
  rfb: SandboxSocket,
  passwords: ScreenPasswords,
  format: PixelFormat,
  signal: AbortSignal,
): Promise<Pixels> {
  const socket = addAbortSignal(signal, await rfb.connect(signal));
  // The reader reports errors where it waits for bytes.
  socket.on("error", () => {});
  try {
    const reader = new ByteReader(socket, toLimits(format));
    await passwords.use((password) => logIn(reader, socket, password));
    return await readPixels(reader, socket, format);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}
