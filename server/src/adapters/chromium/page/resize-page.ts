import { sleep } from "../../../concurrency/abortable.ts";
import type { Size } from "../../../domain/browser/screen.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Display } from "../../../ports/display.ts";
import { type Connect, limitBytes } from "./devtools.ts";
import { listPages } from "./list-pages.ts";
import { type PageSession, withPage } from "./page-session.ts";

/** How often to look for the page, and at its size, in ms. */
const POLL_MS = 10;
/** A size counts as final if it hasn't changed for this long, in ms. */
const SETTLED_MS = 200;
/** The same for headless browsers, which have no window manager to wait for. */
const HEADLESS_SETTLED_MS = 100;
/** The same for a page or a window that hasn't followed yet: on a busy machine, that takes longer. */
const FOLLOWED_MS = 5000;
/** The same for a page that a small correction may not change, because its length is rounded. */
const ROUNDED_MS = 400;
/** A window may have lengths that are not whole CSS pixels, so the first try can miss by some device pixels. */
const MAX_CORRECTIONS = 8;
/** What the browser may send. It looks at the page some 2000 times at most, which takes 0.3 kB each. */
const MAX_BYTES = 8 * 2 ** 20;

/** Places of a headless window to try, in CSS pixels from the corner of its screen. */
const MAX_PLACE = 3;

/** The page can't get the wanted size with its scale, which isn't a whole number. */
export class ImpossibleSize extends Error {
  /** The nearest size that the page did get. */
  readonly possible: Size;

  constructor(wanted: Size, possible: Size) {
    super(
      `The page can have ${possible.width} × ${possible.height} pixels, but not ${wanted.width} × ${wanted.height}.`,
    );
    this.possible = possible;
  }
}

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
 * Gives the window of the first page a size in which the page has exactly the wanted one. Later pages and clients see a
 * window of that size, and nothing that emulates it.
 * @param wanted In CSS pixels.
 * @param display Of a graphical browser. It gets a size in which it shows this window only.
 * @throws {ImpossibleSize} If the page can't get this size. @throws {Error} If it doesn't. @throws {unknown}
 * `signal.reason` if the signal is aborted.
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

/** The browser answers before its first page exists. @throws {unknown} `signal.reason`. */
async function awaitPage(connect: Connect, clock: Pick<Clock, "after">, signal: AbortSignal): Promise<string> {
  for (;;) {
    const [id] = await listPages(connect, signal);
    if (id !== undefined) return id;
    await sleep(POLL_MS, clock, signal);
  }
}

/** A length of the window on the way to the wanted length of the page. */
type Axis = {
  /** The window's place, in CSS pixels. */
  readonly at: number;
  /** The window's length to ask for. */
  readonly asked: number;
  /** Those that were asked for at this place. */
  readonly tried: readonly number[];
};

/**
 * A headless browser's window has whole device pixels, and Chromium rounds its place and its length together. With a
 * fractional scale, a length that the window doesn't get at one place can be possible at the next.
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

/**
 * Corrects the length, or tries the next place if it can't be corrected at this one. The page may ignore the window.
 */
function next({ at, asked, tried }: Axis, missing: number): Axis {
  const corrected = asked + missing;
  if (missing === 0) return { at, asked, tried };
  return corrected < 1 || tried.includes(corrected)
    ? { at: at + 1, asked, tried: [] }
    : { at, asked: corrected, tried: [...tried, asked] };
}

/** A graphical browser's window fills its screen, and gets the screen's new size. */
async function resizeDisplay(resizing: Resizing, display: Pick<Display, "resize">): Promise<void> {
  const { wanted, signal } = resizing;
  // Right after the browser's start, its window is on its way there.
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
 * Waits until the page sees what is expected, or the same for a time.
 * @param settledMs How long, in ms.
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

/** Whether the screen has this size in device pixels. A length in CSS pixels is rounded. */
function isScreen({ screen, scale }: Seen, { width, height }: Size): boolean {
  return Math.abs(screen.width * scale - width) <= scale && Math.abs(screen.height * scale - height) <= scale;
}

/** At least one device pixel, and too few rather than too many. */
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
