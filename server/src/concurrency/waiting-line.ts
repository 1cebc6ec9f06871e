import type { Failure } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";

/** Those who wait for something there is not enough of now; the longest waiting is first. */
export class WaitingLine {
  readonly #maxWaitMs: number;
  readonly #clock: Clock;
  /** Each call ends the wait of one. */
  readonly #waiting = new Set<() => void>();

  constructor(maxWaitMs: number, clock: Clock) {
    this.#maxWaitMs = maxWaitMs;
    this.#clock = clock;
  }

  get length(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for the caller's turn.
   * @param onLate What those are told who have waited too long.
   * @throws {Failure} `onLate`; `signal.reason` when that is aborted before the turn has come, but not before the call.
   */
  async wait(signal: AbortSignal, onLate: () => Failure): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (reason: unknown): void => {
      // At once: a turn that is given to somebody who has left would never be given back.
      if (this.#waiting.delete(resolve)) reject(reason);
    };
    const leave = (): void => giveUp(signal.reason);
    signal.addEventListener("abort", leave);
    const cancel = this.#clock.after(this.#maxWaitMs, () => giveUp(onLate()));
    this.#waiting.add(resolve);
    try {
      await promise;
    } finally {
      cancel();
      signal.removeEventListener("abort", leave);
    }
  }

  /** Gives the first one its turn. @returns Whether anybody waited. */
  next(): boolean {
    const [first] = this.#waiting;
    if (first === undefined) return false;
    this.#waiting.delete(first);
    first();
    return true;
  }
}
