import { type Threads, threadScript } from "../../../ports/threads.ts";

/** Shorter messages are read on the main thread, in 5 ms at most. */
const DIRECT_BYTES = 2 ** 20;

const SCRIPT = threadScript(import.meta.url, "frame-thread");
/** Processor time limit for a thread, including its startup. */
const MAX_MS = 10_000;

const [DATA, QUOTE] = ['"data":"', '"'] as const;

/**
 * Reads the picture from a screencast message, which isn't trusted. Long messages are read in a worker thread.
 * @throws {Error} If the message has no picture; `signal.reason` if the signal is aborted.
 */
export async function readFrame(message: Buffer, threads: Threads, signal: AbortSignal): Promise<Uint8Array> {
  if (message.length <= DIRECT_BYTES) return findPicture(message);
  return (await threads.run(SCRIPT, message, MAX_MS, { signal, account: "" })) as Uint8Array;
}

/** Finds the picture without parsing the message, because parsing could take much more memory. */
export function findPicture(message: Uint8Array): Uint8Array {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const start = bytes.indexOf(DATA) + DATA.length;
  const picture = Buffer.from(bytes.toString("latin1", start, bytes.indexOf(QUOTE, start)), "base64");
  if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Error("The browser sent a frame that is not a JPEG.");
  return picture;
}
