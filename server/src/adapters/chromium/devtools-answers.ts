import { type Threads, threadScript } from "../../ports/threads.ts";

/** What a browser has sent. A page, or the browser process itself, may have made it. */
export type Sent = { readonly what: keyof typeof READERS; readonly bytes: Uint8Array };

const READERS = { pages: readPages, frame: readFrame } as const;

/** Shorter ones are read directly, which takes a few milliseconds at most, whatever is in them. */
const DIRECT_BYTES = { pages: 32 * 2 ** 10, frame: 4 * 2 ** 20 } as const;

const SCRIPT = threadScript(import.meta.url, "devtools-answers-thread");
const MAX_MS = 2000;

const BLANK = "about:blank";
const MAX_PAGES = 1000;

/**
 * Reads the ids of pages from a list, or the picture from a frame; long ones in a thread.
 * @throws {Error} If it is malformed. @throws {unknown} `signal.reason` if the signal is aborted.
 */
export async function readSent<What extends keyof typeof READERS>(
  what: What,
  bytes: Buffer,
  threads: Threads,
  signal: AbortSignal,
): Promise<ReturnType<(typeof READERS)[What]>> {
  const sent: Sent = { what, bytes };
  const read =
    bytes.length <= DIRECT_BYTES[what] ? readHere(sent) : threads.run(SCRIPT, sent, MAX_MS, { signal, account: "" });
  return (await read) as ReturnType<(typeof READERS)[What]>;
}

export function readHere({ what, bytes }: Sent): readonly string[] | Uint8Array {
  return READERS[what](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

/** @returns Ids of pages, most recently used first and blank ones last. */
function readPages(bytes: Buffer): readonly string[] {
  return (
    (JSON.parse(bytes.toString()) as { id: string; type: string; url: string }[])
      // Leave out DevTools windows that a client has opened.
      .filter(({ type, url }) => type === "page" && !url.startsWith("devtools:"))
      .toSorted((one, other) => Number(one.url === BLANK) - Number(other.url === BLANK))
      .slice(0, MAX_PAGES)
      .map(({ id }) => id)
  );
}

const [DATA, QUOTE] = ['"data":"', '"'] as const;

/** Finds the picture instead of parsing the message, which can be a lot larger once it is parsed. */
function readFrame(bytes: Buffer): Uint8Array {
  const start = bytes.indexOf(DATA) + DATA.length;
  const picture = Buffer.from(bytes.toString("latin1", start, bytes.indexOf(QUOTE, start)), "base64");
  if (picture[0] !== 0xff || picture[1] !== 0xd8) throw new Error("The browser sent a frame that is not a JPEG.");
  return picture;
}
