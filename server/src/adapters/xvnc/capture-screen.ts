import { withConnection } from "./with-connection.ts";
import type { Picture } from "../../ports/display.ts";
import type { SandboxSocket } from "../../ports/sandboxes.ts";
import { type Threads, threadScript } from "../../ports/threads.ts";
import { ByteReader } from "../rfb/byte-reader.ts";
import { EXACT, SMALL, logIn, readPixels, toLimits } from "./rfb-client.ts";
import type { ScreenPasswords } from "./screen-passwords.ts";

/** The pixel format to read, and the script that encodes the picture. */
const SIZES = {
  small: { format: SMALL, script: threadScript(import.meta.url, "shrink-thread") },
  full: { format: EXACT, script: threadScript(import.meta.url, "encode-thread") },
};
/** CPU time limit in ms. A small picture takes 100 ms, and a full-size one up to 1 s. */
const MAX_MS = 10_000;

/** Captures a screen as viewers see it, over a separate view-only connection. */
export async function captureScreen(
  rfb: SandboxSocket,
  passwords: ScreenPasswords,
  threads: Threads,
  size: keyof typeof SIZES,
  signal: AbortSignal,
): Promise<Picture> {
  const { format, script } = SIZES[size];
  const pixels = await withConnection(rfb, signal, async (socket) => {
    const reader = new ByteReader(socket, toLimits(format));
    await passwords.use((password) => logIn(reader, socket, password));
    return readPixels(reader, socket, format);
  });
  const bytes = (await threads.run(script, pixels, MAX_MS, { signal, account: "" })) as Uint8Array;
  return { type: "image/png", bytes };
}
