import { setTimeout as sleep } from "node:timers/promises";
import type { Turns } from "../target/pace.ts";

/** The time of one story. It stands still while the story waits for its turn to send, or just waits; and it can be ended. */
export class StoryTime implements Turns {
  readonly #turns: Turns;
  readonly #startedAt = Date.now();
  readonly #end = new AbortController();
  #waiting = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** How long the story has worked, or the server for it. */
  get workedMs(): number {
    const now = Date.now();
    return now - this.#startedAt - this.#waitedMs - (this.#waiting > 0 ? now - this.#waitingSince : 0);
  }

  /** From now on the story gets no further: all that it asks for here rejects with this. */
  end(error: Error): void {
    this.#end.abort(error);
  }

  /** @throws {Error} When the time has ended. */
  expectGoing(): void {
    this.#end.signal.throwIfAborted();
  }

  async turn(whose: string): Promise<void> {
    this.expectGoing();
    await this.#waitFor(this.#turns.turn(whose));
  }

  pause(ms: number, whose: string): void {
    this.#turns.pause(ms, whose);
  }

  waitInVain(whose: string): void {
    this.#turns.waitInVain(whose);
  }

  isInVain(whose: string): boolean {
    return this.#turns.isInVain(whose);
  }

  async sleep(ms: number): Promise<void> {
    this.expectGoing();
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
    this.expectGoing();
  }
}
