import { orAborted } from "../../concurrency/abortable.ts";
import type { Semaphore } from "../../concurrency/semaphore.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DatedThumbnail } from "../../ports/display.ts";
import type { Log } from "../../ports/log.ts";
import type { OpenBrowser } from "../browsers/open-browser.ts";

/** How long callers share a thumbnail before it is outdated, in ms. */
export const THUMBNAIL_AGE_MS = 4000;

/** The maximum number of times that the delay doubles after failed captures. */
const MAX_DOUBLINGS = 4;

type ThumbnailsNeeds = { readonly clock: Clock; readonly log: Log; readonly permits: Semaphore };

/** An open browser's thumbnail, and the state of its next capture. */
type Entry = {
  last: DatedThumbnail | undefined;
  /** The earliest time of the next capture, in ms since the epoch. */
  dueAt: number;
  failures: number;
  capturing: Promise<void> | undefined;
  /** Aborted when the browser ends. */
  readonly ended: AbortController;
};

/** Takes thumbnails of open browsers. Thumbnails don't count as activity, and pages and clients don't notice them. */
export class Thumbnails {
  readonly #needs: ThumbnailsNeeds;
  readonly #entries = new Map<OpenBrowser, Entry>();

  constructor(needs: ThumbnailsNeeds) {
    this.#needs = needs;
  }

  get held(): number {
    return this.#entries.size;
  }

  /**
   * Returns a current thumbnail of a browser, or the last thumbnail if capturing fails.
   * @param signal Ends only this caller's wait.
   * @returns Undefined if no thumbnail is available or the browser has ended.
   * @throws {unknown} Only `signal.reason`.
   */
  async take(browser: OpenBrowser, signal: AbortSignal): Promise<DatedThumbnail | undefined> {
    signal.throwIfAborted();
    const entry = this.#entries.get(browser) ?? this.#add(browser);
    if (entry.capturing === undefined && this.#needs.clock.now().getTime() >= entry.dueAt) {
      entry.capturing = this.#capture(browser, entry);
    }
    if (entry.capturing !== undefined) await orAborted(entry.capturing, signal);
    return entry.last;
  }

  #add(browser: OpenBrowser): Entry {
    const ended = new AbortController();
    const entry: Entry = { last: undefined, dueAt: 0, failures: 0, capturing: undefined, ended };
    this.#entries.set(browser, entry);
    void browser.ended.then(() => {
      this.#entries.delete(browser);
      entry.last = undefined;
      ended.abort(new Error("The browser has ended."));
    });
    return entry;
  }

  /** Never rejects. */
  async #capture(browser: OpenBrowser, entry: Entry): Promise<void> {
    const { signal } = entry.ended;
    try {
      using _permit = await this.#needs.permits.acquire(signal, browser.accountId);
      const thumbnail = await browser.takeThumbnail(signal);
      if (!signal.aborted) entry.last = { ...thumbnail, takenAt: this.#needs.clock.now() };
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      if (!signal.aborted) this.#needs.log.warn("picture.failed", { id: browser.id, failures: entry.failures, error });
    } finally {
      const delayMs = THUMBNAIL_AGE_MS * 2 ** Math.min(entry.failures, MAX_DOUBLINGS);
      entry.dueAt = this.#needs.clock.now().getTime() + delayMs;
      entry.capturing = undefined;
    }
  }
}
