import type { Clock } from "../../src/ports/clock.ts";

/** A clock that moves only when a test calls `pass`. */
export class FakeClock implements Clock {
  #now: number;
  #setMs = 0;
  #timers: { at: number; call: () => void }[] = [];
  readonly #settle: () => Promise<void>;

  /** @param settle Waits until the work triggered by a timer is done. */
  constructor(start = "2026-11-21T10:00:00.000Z", settle = settled) {
    this.#now = Date.parse(start);
    this.#settle = settle;
  }

  /** The number of timers that have not fired. */
  get pending(): number {
    return this.#timers.length;
  }

  now(): Date {
    return new Date(this.#now);
  }

  elapsedMs(): number {
    return this.#now - this.#setMs;
  }

  uptimeMs(): number {
    return this.elapsedMs();
  }

  /** Sets the clock's time of day, as an operator or a time server would. */
  set(byMs: number): void {
    this.#now += byMs;
    this.#setMs += byMs;
    this.#timers = this.#timers.map((timer) => ({ ...timer, at: timer.at + byMs }));
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Advances the time. Timers fire in order, and each timer's work is done before the next one fires. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [due] = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.call();
      await this.#settle();
    }
    this.#now = end;
    await this.#settle();
  }
}

/** Waits until all ready promise callbacks have run, including the fakes' I/O. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}
