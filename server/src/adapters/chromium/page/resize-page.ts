import { sleep } from "../../../concurrency/abortable.ts";
import type { Size } from "../../../domain/browser/screen.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Display } from "../../../ports/display.ts";
import { type Connect, limitBytes } from "./devtools.ts";
import { listPages } from "./list-pages.ts";
import { type PageSession, withPage } from "./page-session.ts";

/** Interval in ms between checks for the page and its size. */
const POLL_MS = 10;
/** Time in ms after which an unchanged size is final. */
const SETTLED_MS = 200;
/** Replaces SETTLED_MS for headless browsers, which don't wait for a window manager. */
const HEADLESS_SETTLED_MS = 100;
/** Replaces SETTLED_MS until a page or window starts to change, which takes longer on a busy machine. */
const FOLLOWED_MS = 5000;
/** Replaces SETTLED_MS after a small correction, which rounding may cancel out. */
const ROUNDED_MS = 400;
/** A window's size may not be a whole number of CSS pixels, so the first attempt can be off by a few device pixels. */
const MAX_CORRECTIONS = 8;
/** Limit on the data that the browser may send: enough for about 2,000 checks of 0.3 kB each. */
const MAX_BYTES = 8 * 2 ** 20;

/** Last position to try for a headless window, in CSS pixels from the screen's corner. */
const MAX_PLACE = 3;

/** The page can't have the requested size at its fractional scale. */
export class ImpossibleSize extends Error {
  /** The closest size that the page reached. */
  readonly possible: Size;

  constructor(wanted: Size, possible: Size) {
    super(
      `The page can have ${possible.width} × ${possible.height} pixels, but not ${wanted.width} × ${wanted.height}.`,
    );
    this.possible = possible;
  }
}

/** Sizes as a page sees them, in CSS pixels. */
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
 * Resizes the first page's window so that the page has exactly the requested size. Clients see a real window of that
 * size, not an emulated one, and later pages open in it.
 * @param wanted In CSS pixels.
 * @param display A graphical browser's display, which is resized to show only this window.
 * @throws {ImpossibleSize} If the page can't have this size.
 * @throws {Error} If the page doesn't reach this size; `signal.reason` if the signal is aborted.
 */
export async function resizeFirstPage(
  connect: Connect,
  wanted: Size,
  display: Pick<Display, "resize"> | undefined,
  clock: Pick<Clock, "after">,
  signal: AbortSignal,
): Promise<void> {
  const limited = limitBytes(connect, MAX_BYTES);
  const id = await awaitPage(limited, clock, signal);
  await withPage(id, limited, signal, {}, async ({ command }) => {
    const resizing = { command, wanted, clock, signal };
    await (display === undefined ? resizeWindow(resizing) : resizeDisplay(resizing, display));
  });
}

/** Waits for the first page, because the browser responds before the page exists. @throws {unknown} `signal.reason`. */
async function awaitPage(connect: Connect, clock: Pick<Clock, "after">, signal: AbortSignal): Promise<string> {
  for (;;) {
    const [id] = await listPages(connect, signal);
    if (id !== undefined) return id;
    await sleep(POLL_MS, clock, signal);
  }
}

/** Progress of the search for the window's width or height. */
type Axis = {
  /** The window's position, in CSS pixels. */
  readonly at: number;
  /** The width or height to request. */
  readonly asked: number;
  /** Widths or heights that were already requested at this position. */
  readonly tried: readonly number[];
};

/**
 * Resizes a headless browser's window. Chromium rounds the sum of position and length to device pixels, so at a
 * fractional scale, a length that is impossible at one position can be possible at the next.
 */
async function resizeWindow(resizing: Resizing): Promise<void> {
  const { command, wanted } = resizing;
  const { windowId } = await command("Browser.getWindowForTarget");
  const { page: first, window, scale } = await see(resizing);
  let across: Axis = { at: 0, asked: wanted.width + window.width - first.width, tried: [] };
  let nearest = first;
  let down: Axis = { at: 0, asked: wanted.height + window.height - first.height, tried: [] };
  let [before, followedMs] = [first, FOLLOWED_MS];
  for (;;) {
    const bounds = { left: across.at, top: down.at, width: across.asked, height: down.asked };
    await command("Browser.setWindowBounds", { windowId, bounds });
    const { page } = await settle(
      resizing,
      (seen) => isSame(seen.page, wanted),
      (seen) => (isSame(seen.page, before) ? followedMs : HEADLESS_SETTLED_MS),
    );
    if (isSame(page, wanted)) return;
    [before, followedMs] = [page, ROUNDED_MS];
    if (distance(page, wanted) < distance(nearest, wanted)) nearest = page;
    across = next(across, wanted.width - page.width);
    down = next(down, wanted.height - page.height);
    if (Math.max(across.at, down.at) > MAX_PLACE) {
      throw Number.isInteger(scale) ? toError(wanted, page) : new ImpossibleSize(wanted, nearest);
    }
  }
}

/** Corrects the length, or tries the next position if a correction failed. The page may ignore the window's size. */
function next({ at, asked, tried }: Axis, missing: number): Axis {
  const corrected = asked + missing;
  if (missing === 0) return { at, asked, tried };
  return corrected < 1 || tried.includes(corrected)
    ? { at: at + 1, asked, tried: [] }
    : { at, asked: corrected, tried: [...tried, asked] };
}

/** Resizes a graphical browser's screen, which its window fills. */
async function resizeDisplay(resizing: Resizing, display: Pick<Display, "resize">): Promise<void> {
  const { wanted, signal } = resizing;
  // Right after the browser starts, the window may not fill the screen yet.
  const { page, window, scale } = await settle(resizing, isFull);
  let pixels = {
    width: Math.floor((wanted.width + window.width - page.width) * scale),
    height: Math.floor((wanted.height + window.height - page.height) * scale),
  };
  for (let corrections = 0; ; corrections += 1) {
    await display.resize(pixels, signal);
    const asked = pixels;
    const { page: now } = await settle(
      resizing,
      (seen) => isSame(seen.page, wanted),
      (seen) => (isFull(seen) && isScreen(seen, asked) ? SETTLED_MS : FOLLOWED_MS),
    );
    if (isSame(now, wanted)) return;
    if (corrections === MAX_CORRECTIONS) throw toError(wanted, now);
    pixels = {
      width: pixels.width + toPixels(wanted.width - now.width, scale),
      height: pixels.height + toPixels(wanted.height - now.height, scale),
    };
  }
}

async function see({ command }: Pick<Resizing, "command">): Promise<Seen> {
  const { result } = await command("Runtime.evaluate", { expression: SEE, returnByValue: true });
  return (result as { readonly value: Seen }).value;
}

/**
 * Waits until the page sees the expected sizes, or its sizes have stopped changing.
 * @param settledMs Returns the time in ms after which unchanged sizes are final.
 * @throws {unknown} `signal.reason`.
 */
async function settle(
  { command, clock, signal }: Resizing,
  isExpected: (seen: Seen) => boolean,
  settledMs: (seen: Seen) => number = () => SETTLED_MS,
): Promise<Seen> {
  let last: Seen | undefined;
  for (let unchangedMs = 0; ;) {
    const seen = await see({ command });
    unchangedMs =
      last !== undefined && isSame(seen.page, last.page) && isSame(seen.window, last.window)
        ? unchangedMs + POLL_MS
        : 0;
    if (isExpected(seen) || unchangedMs >= settledMs(seen)) return seen;
    last = seen;
    await sleep(POLL_MS, clock, signal);
    signal.throwIfAborted();
  }
}

function isFull({ window, screen }: Seen): boolean {
  return Math.abs(window.width - screen.width) <= 1 && Math.abs(window.height - screen.height) <= 1;
}

/** Whether the screen has this size in device pixels, allowing for rounded CSS pixels. */
function isScreen({ screen, scale }: Seen, { width, height }: Size): boolean {
  return Math.abs(screen.width * scale - width) <= scale && Math.abs(screen.height * scale - height) <= scale;
}

/** Converts a length to device pixels. Rounds towards zero, but to at least one pixel unless the length is 0. */
function toPixels(length: number, scale: number): number {
  return Math.sign(length) * Math.max(length === 0 ? 0 : 1, Math.floor(Math.abs(length) * scale));
}

function distance(one: Size, other: Size): number {
  return Math.abs(one.width - other.width) + Math.abs(one.height - other.height);
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}

function toError(wanted: Size, page: Size): Error {
  return new Error(`The page has ${page.width} × ${page.height} pixels instead of ${wanted.width} × ${wanted.height}.`);
}
