import { type Picture, THUMBNAIL_PIXELS } from "../../../ports/display.ts";
import type { Threads } from "../../../ports/threads.ts";
import { type Connect, limitBytes } from "./devtools.ts";
import { listPages } from "./list-pages.ts";
import { PageClosed, withPage } from "./page-session.ts";
import { readFrame } from "./read-frame.ts";

/** What to capture, and how much the browser may send for it, on all connections. */
type Screencast = { readonly params: object; readonly maxBytes: number };

/** 640 × 640 pixels of noise take 0.3 MB. */
export const SMALL: Screencast = {
  params: { format: "jpeg", quality: 70, maxWidth: THUMBNAIL_PIXELS, maxHeight: THUMBNAIL_PIXELS },
  maxBytes: 4 * 2 ** 20,
};

/** The size of the page in device pixels. The largest screen takes 18 MB of Base64 if it shows noise. */
export const FULL: Screencast = { params: { format: "jpeg", quality: 90 }, maxBytes: 32 * 2 ** 20 };

/** The browser shows nothing that could be captured. */
export class NoPage extends Error {}

/**
 * Captures the page in front, over new connections.
 * @throws {NoPage} If no page is visible. @throws {Error} If the browser does not answer, or sends too much;
 *   `signal.reason` if the signal is aborted.
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
 * The first frame arrives immediately, even if the page's scripts are busy, because it is the compositor's latest.
 * Unlike Page.captureScreenshot, this doesn't make the page lay out or draw again.
 * @returns The message with the frame; undefined when the page is not visible or has closed.
 */
async function captureFrame(
  id: string,
  connect: Connect,
  params: object,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const { promise: captured, resolve } = Promise.withResolvers<Buffer | undefined>();
  const onEvent = (method: string, message: Buffer): void => {
    // Chromium sends this before the first frame, and whenever the visibility changes.
    if (method === "Page.screencastVisibilityChanged" && message.includes('"visible":false')) resolve(undefined);
    if (method === "Page.screencastFrame") resolve(message);
  };
  try {
    return await withPage(id, connect, signal, { onEvent }, async ({ command }) => {
      // Chromium refuses this for pages that are not visible.
      command("Page.startScreencast", params).catch(() => resolve(undefined));
      return captured;
    });
  } catch (error) {
    if (error instanceof PageClosed) return undefined;
    throw error;
  }
}
