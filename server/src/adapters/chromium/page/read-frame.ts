import { type Threads, threadScript } from "../../../ports/threads.ts";

/** Shorter messages are read directly, which takes 5 ms at most, whatever is in them. */
const DIRECT_BYTES = 2 ** 20;

const SCRIPT = threadScript(import.meta.url, "frame-thread");
/** Processor time of a thread, with its start. */
const MAX_MS = 10_000;

const [DATA, QUOTE] = ['"data":"', '"'] as const;

/**
 * Reads the picture from a screencast's message, which a page, or the browser process itself, may have made: a long one
 * in a thread.
 * @throws {Error} If it has no picture. @throws {unknown} `signal.reason` if the signal is aborted.
 */
export async function readFrame(message: Buffer, threads: Threads, signal: AbortSignal): Promise<Uint8Array> {
  if (message.length <= DIRECT_BYTES) return findPicture(message);
  return (await threads.run(SCRIPT, message, MAX_MS, { signal, account: "" })) as Uint8Array;
}

/** Finds the picture instead of parsing the message, which can be a lot larger once it is parsed. */
export function findPicture(message: Uint8Array): Uint8Array {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const start = bytes.indexOf(DATA) + DATA.length;
  const picture = Buffer.from(bytes.toString("latin1", start, bytes.indexOf(QUOTE, start)), "base64");
  if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Error("The browser sent a frame that is not a JPEG.");
  return picture;
}
