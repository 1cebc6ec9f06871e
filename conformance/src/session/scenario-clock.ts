import { setTimeout as sleep } from "node:timers/promises";
import type { RateLimiter } from "../target/rate-limiter.ts";

/** Measures how long a scenario works. The clock stops while it sleeps or waits for the rate limit. */
export class ScenarioClock implements RateLimiter {
  readonly hopeless: Set<string>;
  readonly #rateLimiter: RateLimiter;
  readonly #startedAt = Date.now();
  readonly #end = new AbortController();
  #waiting = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  constructor(rateLimiter: RateLimiter) {
    this.hopeless = rateLimiter.hopeless;
    this.#rateLimiter = rateLimiter;
  }

  /** Time during which the scenario or the server was working. */
  get workedMs(): number {
    const now = Date.now();
    return now - this.#startedAt - this.#waitedMs - (this.#waiting > 0 ? now - this.#waitingSince : 0);
  }

  /** Ends the scenario: all its waits reject with this error. */
  end(error: Error): void {
    this.#end.abort(error);
  }

  /** @throws {Error} If the scenario has ended. */
  throwIfEnded(): void {
    this.#end.signal.throwIfAborted();
  }

  async waitForTurn(whose: string): Promise<void> {
    this.throwIfEnded();
    await this.#waitFor(this.#rateLimiter.waitForTurn(whose));
  }

  pause(ms: number, whose: string): void {
    this.#rateLimiter.pause(ms, whose);
  }

  async sleep(ms: number): Promise<void> {
    this.throwIfEnded();
    // Only `end` aborts this wait early; `throwIfEnded` below reports the abort.
    await this.#waitFor(sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {}));
  }

  async #waitFor(waiting: Promise<void>): Promise<void> {
    if (this.#waiting === 0) this.#waitingSince = Date.now();
    this.#waiting += 1;
    try {
      await waiting;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#waitedMs += Date.now() - this.#waitingSince;
    }
    this.throwIfEnded();
  }
}
