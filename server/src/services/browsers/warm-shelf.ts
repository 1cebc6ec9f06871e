import { describeSet } from "../../domain/browser/option-set.ts";
import type { WarmSet } from "../../domain/browser/warm-set.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

/** After a failure the next try comes a second later, after each further one twice as late, up to a minute. */
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** A browser that nobody has opened yet. */
export type WarmBrowser = {
  /** What its folder is called. */
  readonly id: string;
  /** Aborted when it is not wanted any more. */
  readonly stop: AbortController;
  /** Resolves when it has started; with undefined when it did not. */
  readonly started: Promise<HostedBrowser | undefined>;
  /** Since when it stands ready, as `Date.getTime()` has it; undefined while it starts. */
  standingSince: number | undefined;
  /** Whether an Open waits for it. */
  isClaimed: boolean;
};

/** Where the warm browsers of one set stand, and when the next may be started. */
export class WarmShelf {
  readonly set: WarmSet;
  /** All that are starting or standing, the eldest first. */
  readonly browsers = new Set<WarmBrowser>();
  #failures = 0;
  #notBefore = 0;

  constructor(set: WarmSet) {
    this.set = set;
  }

  get hasGap(): boolean {
    return this.browsers.size < this.set.count;
  }

  /** Whether a gap may be filled at a moment. */
  isDue(now: number): boolean {
    return this.hasGap && now >= this.#notBefore;
  }

  /** The one that an Open gets: one that stands ready, or else the one that is nearest to it. */
  find(): WarmBrowser | undefined {
    const free = [...this.browsers].filter(({ isClaimed }) => !isClaimed);
    return free.find(({ standingSince }) => standingSince !== undefined) ?? free[0];
  }

  /** Takes one away that an Open has got. @param pauseMs From the first gap on, nothing is started for so long. */
  give(browser: WarmBrowser, now: number, pauseMs: number): void {
    if (!this.hasGap) this.#notBefore = now + pauseMs;
    this.browsers.delete(browser);
    this.#failures = 0;
  }

  /**
   * Takes one away that did not start, or died.
   * @returns What is logged about it.
   */
  lose(browser: WarmBrowser, now: number): Readonly<Record<string, unknown>> {
    this.browsers.delete(browser);
    const { standingSince = now } = browser;
    // One that lived for long says that the set as such works.
    if (now - standingSince >= MAX_BACKOFF_MS) this.#failures = 0;
    const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS);
    this.#failures += 1;
    this.#notBefore = now + retryMs;
    return { id: browser.id, ...describeSet(this.set.options), retryMs };
  }
}
