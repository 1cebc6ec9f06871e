import { setTimeout as sleep } from "node:timers/promises";
import type { RateLimiter } from "../target/rate-limiter.ts";

/** The time of one scenario. It stands still while the scenario waits for its turn to send, or just waits; and it can be ended. */
export class ScenarioClock implements RateLimiter {
  readonly #turns: RateLimiter;
  readonly #startedAt = Date.now();
  readonly #end = new AbortController();
  #waiting = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  constructor(turns: RateLimiter) {
    this.#turns = turns;
  }

  /** How long the scenario has worked, or the server for it. */
  get workedMs(): number {
    const now = Date.now();
    return now - this.#startedAt - this.#waitedMs - (this.#waiting > 0 ? now - this.#waitingSince : 0);
  }

  /** From now on the scenario gets no further: all that it asks for here rejects with this. */
  end(error: Error): void {
    this.#end.abort(error);
  }

  /** @throws {Error} When the time has ended. */
  throwIfEnded(): void {
    this.#end.signal.throwIfAborted();
  }

  async waitForTurn(whose: string): Promise<void> {
    this.throwIfEnded();
    await this.#waitFor(this.#turns.waitForTurn(whose));
  }

  pause(ms: number, whose: string): void {
    this.#turns.pause(ms, whose);
  }

  markHopeless(whose: string): void {
    this.#turns.markHopeless(whose);
  }

  isHopeless(whose: string): boolean {
    return this.#turns.isHopeless(whose);
  }

  async sleep(ms: number): Promise<void> {
    this.throwIfEnded();
    // Ends early only with the time itself.
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
