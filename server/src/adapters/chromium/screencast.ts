import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocket } from "ws";
import { orAborted } from "../../concurrency/abortable.ts";
import { type Thumbnail, THUMBNAIL_PIXELS } from "../../ports/display.ts";
import type { Connect } from "./devtools.ts";

/** Pages choose their own titles and addresses, so the list of pages may be as long as they want. */
const MAX_LIST_BYTES = 4 * 2 ** 20;
/** 640 × 640 pixels of noise take 0.3 MB. */
const MAX_MESSAGE_BYTES = 4 * 2 ** 20;

/**
 * The first frame arrives immediately, even if the page's scripts are busy, because it is the compositor's latest. Unlike
 * Page.captureScreenshot, this doesn't make the page lay out or draw again.
 */
const SCREENCAST = {
  id: 1,
  method: "Page.startScreencast",
  params: { format: "jpeg", quality: 70, maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS },
};

const BLANK = "about:blank";

/**
 * Captures the page in front, over new connections.
 * @throws {Error} If no page is visible, or the browser does not answer; `signal.reason` if the signal is aborted.
 */
export async function captureFrontPage(connect: Connect, signal: AbortSignal): Promise<Thumbnail> {
  for (const id of await listPages(connect, signal)) {
    const bytes = await capturePage(id, connect, signal);
    if (bytes !== undefined) return { type: "image/jpeg", bytes };
  }
  throw new Error("The browser shows no page.");
}

/** Ids of pages, most recently used first and blank ones last. */
async function listPages(connect: Connect, signal: AbortSignal): Promise<string[]> {
  const socket = await connect(signal);
  try {
    const asked = request({
      path: "/json/list",
      headers: { Host: "127.0.0.1" },
      createConnection: () => socket,
      signal,
    });
    // `once` below reports an error before the response. Later ones don't matter.
    asked.on("error", () => {});
    const [response] = (await once(asked.end(), "response", { signal })) as [AsyncIterable<Buffer>];
    const pages = (
      JSON.parse(await text(bound(response, MAX_LIST_BYTES))) as { id: string; type: string; url: string }[]
    )
      // Leave out DevTools windows that a client has opened.
      .filter(({ type, url }) => type === "page" && !url.startsWith("devtools:"))
      .toSorted((one, other) => Number(one.url === BLANK) - Number(other.url === BLANK));
    return pages.map(({ id }) => id);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}

/** @returns Undefined when the page is not visible or has closed. */
async function capturePage(id: string, connect: Connect, signal: AbortSignal): Promise<Buffer | undefined> {
  const socket = await connect(signal);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const page = new WebSocket(`ws://127.0.0.1/devtools/page/${encodeURIComponent(id)}`, {
    createConnection: () => socket,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
  });
  page.on("open", () => page.send(JSON.stringify(SCREENCAST)));
  page.on("message", (data: Buffer) => {
    try {
      const read = readMessage(data);
      if (read !== "other") resolve(read === "not visible" ? undefined : read);
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

/** @throws {Error} If the message is malformed. */
function readMessage(data: Buffer): Buffer | "not visible" | "other" {
  const { method, params, error } = JSON.parse(data.toString()) as {
    readonly method?: string;
    readonly params?: { readonly visible?: boolean; readonly data?: string };
    readonly error?: unknown;
  };
  if (error !== undefined) return "not visible";
  // Chromium sends this before the first frame, and whenever the visibility changes.
  if (method === "Page.screencastVisibilityChanged" && params?.visible === false) return "not visible";
  if (method !== "Page.screencastFrame") return "other";
  const bytes = Buffer.from(params?.data ?? "", "base64");
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error("The browser sent a frame that is not a JPEG.");
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
