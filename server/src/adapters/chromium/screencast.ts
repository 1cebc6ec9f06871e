import { once } from "node:events";
import { request } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { orAborted } from "../../concurrency/abortable.ts";
import { type Thumbnail, THUMBNAIL_PIXELS } from "../../ports/display.ts";

type Connect = (signal: AbortSignal) => Promise<Socket>;

/** A page may change its title and address to anything: what is said of all of them is as long as they want. */
const MAX_LIST_BYTES = 4 * 2 ** 20;
/** A frame of 640 × 640 pixels of noise has 0.3 MB. */
const MAX_FRAME_BYTES = 4 * 2 ** 20;

/**
 * The first frame is there at once, whatever the page's scripts do: it is what the compositor has. Unlike with a
 * screenshot, the page is not laid out or drawn anew for it.
 */
const SCREENCAST = {
  id: 1,
  method: "Page.startScreencast",
  params: { format: "jpeg", quality: 70, maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS },
};

const BLANK = "about:blank";

/**
 * Takes a picture of the page in front, over connections of its own.
 * @throws {Error} When no page is visible, or the browser does not answer; `signal.reason` when that is aborted.
 */
export async function takeFrame(connect: Connect, signal: AbortSignal): Promise<Thumbnail> {
  for (const id of await listPages(connect, signal)) {
    const bytes = await takeFrameOf(id, connect, signal);
    if (bytes !== undefined) return { type: "image/jpeg", bytes };
  }
  throw new Error("The browser shows no page.");
}

/** Pages, the ones first that somebody used last; but those without anything on them behind all others. */
async function listPages(connect: Connect, signal: AbortSignal): Promise<string[]> {
  const socket = await connect(signal);
  try {
    const asking = request({
      path: "/json/list",
      headers: { Host: "127.0.0.1" },
      createConnection: () => socket,
      signal,
    });
    // Heard of where the answer is waited for; after that, nobody asks.
    asking.on("error", () => {});
    const [answer] = (await once(asking.end(), "response", { signal })) as [AsyncIterable<Buffer>];
    const pages = (JSON.parse(await text(bound(answer, MAX_LIST_BYTES))) as { id: string; type: string; url: string }[])
      // Tools that a client has opened are no pages of anybody's.
      .filter(({ type, url }) => type === "page" && !url.startsWith("devtools:"))
      .toSorted((one, other) => Number(one.url === BLANK) - Number(other.url === BLANK));
    return pages.map(({ id }) => id);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/** @returns Undefined when the page is not visible, or gone. */
async function takeFrameOf(id: string, connect: Connect, signal: AbortSignal): Promise<Buffer | undefined> {
  const socket = await connect(signal);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const page = new WebSocket(`ws://127.0.0.1/devtools/page/${encodeURIComponent(id)}`, {
    createConnection: () => socket,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  page.on("open", () => page.send(JSON.stringify(SCREENCAST)));
  page.on("message", (data: Buffer) => {
    try {
      const seen = readMessage(data);
      if (seen !== "nothing new") resolve(seen === "not visible" ? undefined : seen);
    } catch (error) {
      reject(error);
    }
  });
  page.on("error", () => {});
  page.on("close", () => resolve(undefined));
  try {
    return await orAborted(promise, signal);
  } finally {
    page.terminate();
    socket.destroy();
  }
}

/** @throws {Error} When it is not as DevTools writes it. */
function readMessage(data: Buffer): Buffer | "not visible" | "nothing new" {
  const { method, params, error } = JSON.parse(data.toString()) as {
    readonly method?: string;
    readonly params?: { readonly visible?: boolean; readonly data?: string };
    readonly error?: unknown;
  };
  if (error !== undefined) return "not visible";
  // Said before the first frame, and from then on at every change.
  if (method === "Page.screencastVisibilityChanged" && params?.visible === false) return "not visible";
  if (method !== "Page.screencastFrame") return "nothing new";
  const bytes = Buffer.from(params?.data ?? "", "base64");
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error("The browser sent a frame that is no JPEG.");
  return bytes;
}

async function* bound(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`The browser's list of pages has more than ${maxBytes} bytes.`);
    yield chunk;
  }
}
