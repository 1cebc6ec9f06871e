import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { toLogFacts } from "../../domain/warm/warm-set.ts";
import type { HostedBrowser } from "../../ports/browser-host.ts";

/** The delay after the first failure. It doubles with each further failure, up to a minute. */
const MIN_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

/** A browser that is started before an Open request asks for it. */
export type WarmBrowser = {
  readonly id: string;
  /** Aborted to cancel the start. */
  readonly stop: AbortController;
  /** Resolves once the browser has started; with undefined if it fails to. */
  readonly started: Promise<HostedBrowser | undefined>;
  /** Undefined while it starts. */
  hosted: HostedBrowser | undefined;
  /** When it became ready, in ms since the epoch; undefined while it starts. */
  readySince: number | undefined;
  /** Whether an Open request is waiting for it. */
  isClaimed: boolean;
};

/** The warm browsers of one option set, and when the next one may be started. */
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

  /** How many an Open request gets without waiting. */
  get ready(): number {
    return [...this.browsers].filter(({ readySince, isClaimed }) => readySince !== undefined && !isClaimed).length;
  }

  /** Browsers that have no slot any more. An Open request that waits for a browser still gets it. */
  get surplus(): readonly WarmBrowser[] {
    const free = [...this.browsers].filter(({ isClaimed }) => !isClaimed);
    return free.slice(0, Math.max(0, this.browsers.size - this.count));
  }

  /** Browsers of a version that has been replaced. An Open request that waits for a browser still gets it. */
  get outdated(): readonly WarmBrowser[] {
    return [...this.browsers].filter(({ hosted, isClaimed }) => !isClaimed && hosted?.isOutdated() === true);
  }

  /** Whether the next browser may be started now. */
  isDue(now: number): boolean {
    return !this.isFull && now >= this.#notBefore;
  }

  /** The best browser for an Open request: a ready one, or the one that started first. */
  find(): WarmBrowser | undefined {
    const free = [...this.browsers].filter(({ isClaimed }) => !isClaimed);
    return free.find(({ readySince }) => readySince !== undefined) ?? free[0];
  }

  /**
   * Removes a browser that works: an Open request got it, or its version is old.
   * @param pauseMs Delay before the first free slot is filled.
   */
  remove(browser: WarmBrowser, now: number, pauseMs: number): void {
    if (this.isFull) this.#notBefore = now + pauseMs;
    this.browsers.delete(browser);
    this.#failures = 0;
  }

  /**
   * Removes a browser that failed to start, or died.
   * @returns Facts for the log.
   */
  removeFailed(browser: WarmBrowser, now: number): Readonly<Record<string, unknown>> {
    this.browsers.delete(browser);
    const { readySince = now } = browser;
    // A browser that lived this long shows that the set works.
    if (now - readySince >= MAX_BACKOFF_MS) this.#failures = 0;
    const retryMs = Math.min(MIN_BACKOFF_MS * 2 ** this.#failures, MAX_BACKOFF_MS);
    this.#failures += 1;
    this.#notBefore = now + retryMs;
    return { id: browser.id, ...toLogFacts(this.options), retryMs };
  }
}
