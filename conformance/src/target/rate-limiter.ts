import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** Limits the rate of requests. Each request waits for its turn. */
export type RateLimiter = {
  /**
   * Resolves when the next request may be sent.
   * @param whose The request's credentials: servers limit rates per account.
   */
  waitForTurn(whose: string): Promise<void>;
  /** Pauses requests with these credentials, and slows down later ones. */
  pause(ms: number, whose: string): void;
  /** Credentials whose requests are still rejected after waiting. */
  readonly hopeless: Set<string>;
};

/** Maximum random delay added to a pause, because other clients may resume at the same time. */
const JITTER_MS = 250;
/** Minimum and maximum time between requests after a 429. */
const SLOW_MS = { least: 100, most: 2000 } as const;

/** Limits the requests per second. An undefined rate means no limit until the server responds with 429. */
export class SingleRateLimiter {
  #intervalMs: number;
  #nextAt = 0;
  #pausedUntil = 0;
  #queue: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(rate: number | undefined) {
    this.#intervalMs = rate === undefined ? 0 : 1000 / rate;
  }

  /** Whether the server has responded with 429. */
  get isSlowed(): boolean {
    return this.#pausedUntil > 0;
  }

  /** Rejects all pending and future turns with this error. */
  stop(error: Error): void {
    this.#stopping.abort(error);
  }

  pause(ms: number): void {
    const now = Date.now();
    // Concurrent requests are rejected together, so their rejections count as one.
    if (now >= this.#pausedUntil) {
      this.#intervalMs = Math.max(
        this.#intervalMs,
        Math.min(SLOW_MS.most, Math.max(SLOW_MS.least, 2 * this.#intervalMs)),
      );
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms + randomInt(JITTER_MS));
  }

  /** The promises resolve in call order. */
  waitForTurn(): Promise<void> {
    const turn = this.#queue.then(() => this.#wait());
    this.#queue = turn.catch(() => {});
    return turn;
  }

  async #wait(): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      signal.throwIfAborted();
      const now = Date.now();
      const at = Math.max(this.#nextAt, this.#pausedUntil);
      if (at <= now) {
        this.#nextAt = now + this.#intervalMs;
        return;
      }
      // Only `stop` aborts this sleep.
      await sleep(at - now, undefined, { signal }).catch(() => {});
    }
  }
}

/** Limits the rate of the whole run and of each account. */
export class AccountRateLimiter implements RateLimiter {
  readonly hopeless = new Set<string>();
  readonly #all: SingleRateLimiter;
  readonly #own = new Map<string, SingleRateLimiter>();
  #stopped: Error | undefined;

  constructor(rate: number | undefined) {
    this.#all = new SingleRateLimiter(rate);
  }

  get isSlowed(): boolean {
    return [...this.#own.values()].some(({ isSlowed }) => isSlowed);
  }

  stop(error: Error): void {
    this.#stopped = error;
    for (const limiter of [this.#all, ...this.#own.values()]) limiter.stop(error);
  }

  pause(ms: number, whose: string): void {
    this.#limiterOf(whose).pause(ms);
  }

  async waitForTurn(whose: string): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    await this.#limiterOf(whose).waitForTurn();
    await this.#all.waitForTurn();
  }

  #limiterOf(whose: string): SingleRateLimiter {
    const limiter = this.#own.get(whose) ?? new SingleRateLimiter(undefined);
    this.#own.set(whose, limiter);
    return limiter;
  }
}
