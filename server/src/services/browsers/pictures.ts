import { Failure } from "../../domain/failure.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Picture } from "../../ports/picture.ts";
import type { OpenBrowser } from "./open-browser.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";

/** How long a picture is recent; until then, whoever asks gets the same one. */
export const PICTURE_AGE_MS = 4000;

/** Pictures that are taken at the same time, of all browsers; each costs a core some 0.1 s. */
export const PICTURES_AT_ONCE = 2;

/** So many browsers wait for their turn, and so long; the others go without a new picture this time. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5000;

/** A browser of which no picture can be taken is tried again after twice the time, so many times over. */
const MAX_DOUBLINGS = 4;

type Needs = { readonly clock: Clock; readonly log: Log };

/** What is known of one open browser. */
type Album = {
  last: Picture | undefined;
  takenAt: Date | undefined;
  /** When the last one is not recent any more, in ms; before, none is taken. */
  dueAt: number;
  failures: number;
  underWay: Promise<void> | undefined;
  readonly over: AbortController;
};

/** Recent pictures of open browsers. Looking at them is no activity: browsers, their pages and clients know nothing of it. */
export class Pictures {
  readonly #needs: Needs;
  readonly #permits: Semaphore;
  readonly #albums = new Map<OpenBrowser, Album>();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#permits = new Semaphore({
      limit: PICTURES_AT_ONCE,
      maxWaiting: MAX_WAITING,
      maxWaitMs: MAX_WAIT_MS,
      clock: needs.clock,
      onFull: () => new Failure("BrowserUnavailable", "Too many pictures are being taken: ask again in a moment."),
    });
  }

  /** Browsers that something is kept of. */
  get held(): number {
    return this.#albums.size;
  }

  /**
   * A recent picture of a browser; the last one when a new one can't be taken, however old.
   * @param signal Aborted when the caller waits no more; others still do.
   * @returns Undefined when there is none, and when the browser has ended.
   * @throws {unknown} `signal.reason`, and nothing else.
   */
  async take(browser: OpenBrowser, signal: AbortSignal): Promise<Picture | undefined> {
    signal.throwIfAborted();
    const album = this.#albums.get(browser) ?? this.#open(browser);
    if (album.underWay === undefined && this.#needs.clock.now().getTime() >= album.dueAt) {
      album.underWay = this.#renew(browser, album);
    }
    if (album.underWay !== undefined) await orAborted(album.underWay, signal);
    return album.last;
  }

  /** When the picture that `take` returns now was taken. */
  takenAt(browser: OpenBrowser): Date | undefined {
    return this.#albums.get(browser)?.takenAt;
  }

  #open(browser: OpenBrowser): Album {
    const over = new AbortController();
    const album: Album = { last: undefined, takenAt: undefined, dueAt: 0, failures: 0, underWay: undefined, over };
    this.#albums.set(browser, album);
    void browser.ended.then(() => {
      this.#albums.delete(browser);
      album.last = undefined;
      over.abort(new Error("The browser has ended."));
    });
    return album;
  }

  /** Never rejects. */
  async #renew(browser: OpenBrowser, album: Album): Promise<void> {
    const { signal } = album.over;
    try {
      using _permit = await this.#permits.acquire(signal);
      const picture = await browser.takePicture(signal);
      if (!signal.aborted) [album.last, album.takenAt] = [picture, this.#needs.clock.now()];
      album.failures = 0;
    } catch (error) {
      album.failures += 1;
      if (!signal.aborted) this.#needs.log.warn("picture.failed", { id: browser.id, failures: album.failures, error });
    } finally {
      const waitMs = PICTURE_AGE_MS * 2 ** Math.min(album.failures, MAX_DOUBLINGS);
      album.dueAt = this.#needs.clock.now().getTime() + waitMs;
      album.underWay = undefined;
    }
  }
}
