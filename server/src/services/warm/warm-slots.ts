import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { toLogFacts } from "../../domain/warm/warm-set.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

/** The delay after the first failure. It doubles with each additional failure, up to a minute. */
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** A browser that was started before an Open request asked for it. */
export type WarmBrowser = {
  readonly id: string;
  readonly stop: AbortController;
  /** Resolves once the browser has started, or with undefined if it fails to start. */
  readonly started: Promise<HostedBrowser | undefined>;
  /** Undefined while the browser is starting. */
  hosted: HostedBrowser | undefined;
  /** When the browser became ready, in ms since the epoch; undefined while it is starting. */
  readySince: number | undefined;
  /** Whether an Open request is waiting for the browser. */
  isClaimed: boolean;
};

/** The warm browsers for one set of options, and the earliest time of the next start. */
export class WarmSlots {
  readonly options: LaunchOptions;
  /** How many browsers to keep ready. */
  count = 0;
  /** Browsers that are starting or ready, the oldest first. */
  readonly browsers = new Set<WarmBrowser>();
  #failures = 0;
  #notBefore = 0;

  constructor(options: LaunchOptions) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.browsers.size >= this.count;
  }

  get ready(): number {
    return [...this.browsers].filter(({ readySince, isClaimed }) => readySince !== undefined && !isClaimed).length;
  }

  /** Browsers that have lost their slot, except for browsers for which an Open request is waiting. */
  get surplus(): readonly WarmBrowser[] {
    const free = [...this.browsers].filter(({ isClaimed }) => !isClaimed);
    return free.slice(0, Math.max(0, this.browsers.size - this.count));
  }

  /** Browsers with an outdated version, except browsers that an Open request is waiting for. */
  get outdated(): readonly WarmBrowser[] {
    return [...this.browsers].filter(({ hosted, isClaimed }) => !isClaimed && hosted?.isOutdated() === true);
  }

  isDue(now: number): boolean {
    return !this.isFull && now >= this.#notBefore;
  }

  /**
   * Finds the best browser for an Open request: a ready one or, if no browser is ready, the one that started first.
   */
  find(): WarmBrowser | undefined {
    const free = [...this.browsers].filter(({ isClaimed }) => !isClaimed);
    return free.find(({ readySince }) => readySince !== undefined) ?? free[0];
  }

  /**
   * Removes a working browser that an Open request takes or whose version is outdated.
   * @param pauseMs The delay before the first free slot is filled.
   */
  remove(browser: WarmBrowser, now: number, pauseMs: number): void {
    if (this.isFull) this.#notBefore = now + pauseMs;
    this.browsers.delete(browser);
    this.#failures = 0;
  }

  /** Removes a browser that failed to start or crashed. @returns Fields for the log. */
  removeFailed(browser: WarmBrowser, now: number): Readonly<Record<string, unknown>> {
    this.browsers.delete(browser);
    const { readySince = now } = browser;
    // If a browser has run this long, its options work.
    if (now - readySince >= MAX_BACKOFF_MS) this.#failures = 0;
    const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS);
    this.#failures += 1;
    this.#notBefore = now + retryMs;
    return { id: browser.id, ...toLogFacts(this.options), retryMs };
  }
}
