import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** Who sends requests takes a turn for each, and says when the server wants nobody to. */
export type RateLimiter = {
  /** Resolves when the next request may be sent. @param whose Says by whose credentials: rates are counted for each. */
  waitForTurn(whose: string): Promise<void>;
  /** None of theirs goes on for so long, and from then on they go more slowly. */
  pause(ms: number, whose: string): void;
  /** Waiting has not helped them. */
  markHopeless(whose: string): void;
  isHopeless(whose: string): boolean;
};

/** Others may have been told to come back at the same moment. */
const JITTER_MS = 250;
/** Between two requests, once a server has said that they come too fast. */
const SLOW_MS = { least: 100, most: 2000 } as const;

/** Holds callers back so that no more than so many a second go on; undefined lets all pass until a server minds. */
export class SingleRateLimiter implements RateLimiter {
  #intervalMs: number;
  #nextAt = 0;
  #pausedUntil = 0;
  #isHopeless = false;
  #queue: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(rate: number | undefined) {
    this.#intervalMs = rate === undefined ? 0 : 1000 / rate;
  }

  /** Whether a server has ever minded. */
  get isSlowed(): boolean {
    return this.#pausedUntil > 0;
  }

  /** From now on nobody goes on: every turn rejects with this. */
  stop(error: Error): void {
    this.#stopping.abort(error);
  }

  pause(ms: number): void {
    const now = Date.now();
    // What was under way together is refused together, and says only once that it was too fast.
    if (now >= this.#pausedUntil) {
      this.#intervalMs = Math.max(
        this.#intervalMs,
        Math.min(SLOW_MS.most, Math.max(SLOW_MS.least, 2 * this.#intervalMs)),
      );
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + ms + randomInt(JITTER_MS));
  }

  markHopeless(): void {
    this.#isHopeless = true;
  }

  isHopeless(): boolean {
    return this.#isHopeless;
  }

  /** In the order of asking. */
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
      // Ends early only by being stopped.
      await sleep(at - now, undefined, { signal }).catch(() => {});
    }
  }
}

/** One pace for all, and one for each whose requests a server counts by themselves. */
export class AccountRateLimiter implements RateLimiter {
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
    for (const pace of [this.#all, ...this.#own.values()]) pace.stop(error);
  }

  pause(ms: number, whose: string): void {
    this.#paceOf(whose).pause(ms);
  }

  markHopeless(whose: string): void {
    this.#paceOf(whose).markHopeless();
  }

  isHopeless(whose: string): boolean {
    return this.#paceOf(whose).isHopeless();
  }

  async waitForTurn(whose: string): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped;
    await this.#paceOf(whose).waitForTurn();
    await this.#all.waitForTurn();
  }

  #paceOf(whose: string): SingleRateLimiter {
    const pace = this.#own.get(whose) ?? new SingleRateLimiter(undefined);
    this.#own.set(whose, pace);
    return pace;
  }
}
