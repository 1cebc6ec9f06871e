import { sleep } from "../../concurrency/abortable.ts";
import type { Size } from "../../domain/browser/screen.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Display } from "../../ports/display.ts";
import type { Connect } from "./devtools.ts";
import { type PageSession, listPages, withPage } from "./page-session.ts";

/** How often to look at the page's size, in ms. */
const POLL_MS = 10;
/** A size counts as final if it hasn't changed for this long, in ms. */
const SETTLED_MS = 200;
/** A window may have lengths that are not whole CSS pixels, so the first try can miss by some device pixels. */
const MAX_CORRECTIONS = 8;
const MAX_MESSAGE_BYTES = 2 ** 20;

/** What a page sees of itself, its window and its screen, in CSS pixels. */
type Seen = { readonly page: Size; readonly window: Size; readonly screen: Size; readonly scale: number };

const SEE = `({
  page: { width: innerWidth, height: innerHeight },
  window: { width: outerWidth, height: outerHeight },
  screen: { width: screen.width, height: screen.height },
  scale: devicePixelRatio,
})`;

type Resizing = Pick<PageSession, "command"> & {
  readonly wanted: Size;
  readonly clock: Pick<Clock, "after">;
  readonly signal: AbortSignal;
};

/**
 * Gives the window of the first page a size in which the page has exactly the wanted one. Later pages and clients see a window
 * of that size, and nothing that emulates it.
 * @param wanted In CSS pixels.
 * @param display Of a graphical browser. It gets a size in which it shows this window only.
 * @throws {Error} If the page doesn't get this size; `signal.reason` if the signal is aborted.
 */
export async function resizeFirstPage(
  connect: Connect,
  wanted: Size,
  display: Pick<Display, "resize"> | undefined,
  clock: Pick<Clock, "after">,
  signal: AbortSignal,
): Promise<void> {
  const [id] = await listPages(connect, signal);
  if (id === undefined) throw new Error("The browser has no page.");
  await withPage(id, connect, signal, { maxMessageBytes: MAX_MESSAGE_BYTES }, async ({ command }) => {
    const resizing = { command, wanted, clock, signal };
    await (display === undefined ? resizeWindow(resizing) : resizeDisplay(resizing, display));
  });
}

/** A headless browser's window can have any size. */
async function resizeWindow(resizing: Resizing): Promise<void> {
  const { command, wanted } = resizing;
  const { windowId } = await command("Browser.getWindowForTarget");
  let asked = wanted;
  for (let corrections = 0; ; corrections += 1) {
    await command("Browser.setContentsSize", { windowId, ...asked });
    const { page } = await settle(resizing, (seen) => isSame(seen.page, wanted));
    if (isSame(page, wanted)) return;
    if (corrections === MAX_CORRECTIONS) throw toError(wanted, page);
    asked = {
      width: asked.width + wanted.width - page.width,
      height: asked.height + wanted.height - page.height,
    };
  }
}

/** A graphical browser's window is maximized: it follows its screen. */
async function resizeDisplay(resizing: Resizing, display: Pick<Display, "resize">): Promise<void> {
  const { wanted, signal } = resizing;
  // Right after the browser's start, its window is on its way there.
  const { page, window, scale } = await settle(resizing, isMaximized);
  let pixels = {
    width: Math.floor((wanted.width + window.width - page.width) * scale),
    height: Math.floor((wanted.height + window.height - page.height) * scale),
  };
  for (let corrections = 0; ; corrections += 1) {
    await display.resize(pixels, signal);
    const { page: now } = await settle(resizing, (seen) => isSame(seen.page, wanted));
    if (isSame(now, wanted)) return;
    if (corrections === MAX_CORRECTIONS) throw toError(wanted, now);
    pixels = {
      width: pixels.width + toPixels(wanted.width - now.width, scale),
      height: pixels.height + toPixels(wanted.height - now.height, scale),
    };
  }
}

/** Waits until the page sees what is expected, or always the same. @throws {unknown} `signal.reason`. */
async function settle({ command, clock, signal }: Resizing, isExpected: (seen: Seen) => boolean): Promise<Seen> {
  let last: Seen | undefined;
  for (let unchangedMs = 0; ;) {
    const { result } = await command("Runtime.evaluate", { expression: SEE, returnByValue: true });
    const seen = (result as { readonly value: Seen }).value;
    unchangedMs =
      last !== undefined && isSame(seen.page, last.page) && isSame(seen.window, last.window)
        ? unchangedMs + POLL_MS
        : 0;
    if (isExpected(seen) || unchangedMs >= SETTLED_MS) return seen;
    last = seen;
    await sleep(POLL_MS, clock, signal);
    signal.throwIfAborted();
  }
}

function isMaximized({ window, screen }: Seen): boolean {
  return Math.abs(window.width - screen.width) <= 1 && Math.abs(window.height - screen.height) <= 1;
}

/** At least one device pixel, and too few rather than too many. */
function toPixels(length: number, scale: number): number {
  return Math.sign(length) * Math.max(length === 0 ? 0 : 1, Math.floor(Math.abs(length) * scale));
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

function toError(wanted: Size, page: Size): Error {
  return new Error(`The page has ${page.width} × ${page.height} pixels instead of ${wanted.width} × ${wanted.height}.`);
}
