import { type Picture, THUMBNAIL_PIXELS } from "../../../ports/display.ts";
import type { Threads } from "../../../ports/threads.ts";
import { type Connect, limitBytes } from "./devtools.ts";
import { listPages } from "./list-pages.ts";
import { PageClosed, withPage } from "./page-session.ts";
import { readFrame } from "./read-frame.ts";

/** Screencast parameters, and a limit on the data that the browser may send on all connections. */
type Screencast = { readonly params: object; readonly maxBytes: number };

/** Thumbnail size. 640 × 640 pixels of noise need 0.3 MB. */
export const SMALL: Screencast = {
  params: { format: "jpeg", quality: 70, maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS },
  maxBytes: 4 * 2 ** 20,
};

/** Full size, in device pixels. Noise on the largest screen takes 18 MB of base64. */
export const FULL: Screencast = { params: { format: "jpeg", quality: 90 }, maxBytes: 32 * 2 ** 20 };

/** The browser isn't showing a page. */
export class NoPage extends Error {}

/**
 * Captures the frontmost page over new connections.
 * @throws {NoPage} If no page is visible.
 * @throws {Error} If the browser doesn't respond, or sends too much data; `signal.reason` if the signal is aborted.
 */
export async function captureFrontPage(
  connect: Connect,
  { params, maxBytes }: Screencast,
  threads: Threads,
  signal: AbortSignal,
): Promise<Picture> {
  const limited = limitBytes(connect, maxBytes);
  for (const id of await listPages(limited, signal)) {
    const frame = await captureFrame(id, limited, params, signal);
    if (frame !== undefined) return { type: "image/jpeg", bytes: await readFrame(frame, threads, signal) };
  }
  throw new NoPage("The browser shows no page.");
}

/**
 * Captures the compositor's latest frame, which arrives immediately even if the page's scripts are busy. Unlike
 * Page.captureScreenshot, this doesn't cause a new layout or paint.
 * @returns The message with the frame; undefined if the page isn't visible or has closed.
 */
async function captureFrame(
  id: string,
  connect: Connect,
  params: object,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const { promise: captured, resolve } = Promise.withResolvers<Buffer | undefined>();
  const onEvent = (method: string, message: Buffer): void => {
    // Chromium sends this event before the first frame, and whenever the visibility changes.
    if (method === "Page.screencastVisibilityChanged" && message.includes('"visible":false')) resolve(undefined);
    if (method === "Page.screencastFrame") resolve(message);
  };
  try {
    return await withPage(id, connect, signal, { onEvent }, async ({ command }) => {
      // Chromium rejects this command for invisible pages.
      command("Page.startScreencast", params).catch(() => resolve(undefined));
      return captured;
    });
  } catch (error) {
    if (error instanceof PageClosed) return undefined;
    throw error;
  }
}
