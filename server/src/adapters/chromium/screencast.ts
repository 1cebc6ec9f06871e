import { type Picture, THUMBNAIL_PIXELS } from "../../ports/display.ts";
import type { Connect } from "./devtools.ts";
import { PageClosed, listPages, withPage } from "./page-session.ts";

/** What to capture, and how large a message of the browser may be. */
type Screencast = { readonly params: object; readonly maxMessageBytes: number };

/** 640 × 640 pixels of noise take 0.3 MB. */
export const SMALL: Screencast = {
  params: { format: "jpeg", quality: 70, maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS },
  maxMessageBytes: 4 * 2 ** 20,
};

/** The size of the page in device pixels: 4 bytes of Base64 for each of 2²⁴ pixels. */
export const FULL: Screencast = { params: { format: "jpeg", quality: 90 }, maxMessageBytes: 64 * 2 ** 20 };

/** The browser shows nothing that could be captured. */
export class NoPage extends Error {}

/**
 * Captures the page in front, over new connections.
 * @throws {NoPage} If no page is visible. @throws {Error} If the browser does not answer; `signal.reason` if the signal is aborted.
 */
export async function captureFrontPage(
  connect: Connect,
  screencast: Screencast,
  signal: AbortSignal,
): Promise<Picture> {
  for (const id of await listPages(connect, signal)) {
    const bytes = await capturePage(id, connect, screencast, signal);
    if (bytes !== undefined) return { type: "image/jpeg", bytes };
  }
  throw new NoPage("The browser shows no page.");
}

/**
 * The first frame arrives immediately, even if the page's scripts are busy, because it is the compositor's latest. Unlike
 * Page.captureScreenshot, this doesn't make the page lay out or draw again.
 * @returns Undefined when the page is not visible or has closed.
 */
async function capturePage(
  id: string,
  connect: Connect,
  { params, maxMessageBytes }: Screencast,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const { promise: captured, resolve } = Promise.withResolvers<Buffer | undefined>();
  const onEvent = (method: string, event: Readonly<Record<string, unknown>>): void => {
    // Chromium sends this before the first frame, and whenever the visibility changes.
    if (method === "Page.screencastVisibilityChanged" && event["visible"] === false) resolve(undefined);
    if (method === "Page.screencastFrame") resolve(readFrame(event["data"]));
  };
  try {
    return await withPage(id, connect, signal, { maxMessageBytes, onEvent }, async ({ command }) => {
      // Chromium refuses this for pages that are not visible.
      command("Page.startScreencast", params).catch(() => resolve(undefined));
      return captured;
    });
  } catch (error) {
    if (error instanceof PageClosed) return undefined;
    throw error;
  }
}

/** @throws {Error} If the frame is malformed. */
function readFrame(data: unknown): Buffer {
  const bytes = Buffer.from(typeof data === "string" ? data : "", "base64");
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error("The browser sent a frame that is not a JPEG.");
  return bytes;
}
