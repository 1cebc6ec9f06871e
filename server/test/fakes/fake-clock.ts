import type { Clock } from "../../src/ports/clock.ts";

/** A clock that only moves when a test says so. */
export class FakeClock implements Clock {
  #now: number;
  #timers: { at: number; call: () => void }[] = [];

  constructor(start = "2026-11-21T10:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  /** Timers that still wait. */
  get waiting(): number {
    return this.#timers.length;
  }

  now(): Date {
    return new Date(this.#now);
  }

  after(delayMs: number, call: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), call };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Lets time pass: timers fire in order, each at its own moment, and what they started settles before the next. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const [due] = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = due.at;
      due.call();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Lets promises that are ready to settle do so, I/O of the fakes included. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}
