import type { Clock } from "../ports/clock.ts";
import { releaseOnce } from "./release-once.ts";

type SemaphoreOptions = {
  /** Permits that may be held at the same time. */
  readonly limit: number;
  /** Callers that may wait for a permit. */
  readonly maxWaiting: number;
  /** How long each caller may wait, in ms; undefined: without a limit. */
  readonly maxWaitMs?: number;
  /** Measures `maxWaitMs`. */
  readonly clock: Pick<Clock, "after">;
  /** The error for a caller that finds `maxWaiting` others waiting. */
  readonly onFull: () => Error;
  /** The error for a caller that has waited too long; `onFull` by default. */
  readonly onLate?: () => Error;
};

/** A counting semaphore. Callers get their permits in the order they came. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** Each call hands a permit to one caller. */
  readonly #waiting = new Set<() => void>();
  #held = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get held(): number {
    return this.#held;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a permit. Disposing gives it back; twice is harmless.
   * @throws {Error} `onFull` at once, `onLate` after `maxWaitMs`, or `signal.reason` when that is aborted.
   */
  async acquire(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    const permit = this.tryAcquire();
    if (permit !== undefined) return permit;
    if (this.#waiting.size >= this.#options.maxWaiting) throw this.#options.onFull();
    await this.#wait(signal);
    return this.#newPermit();
  }

  /** A permit if one is free now; undefined otherwise. */
  tryAcquire(): Disposable | undefined {
    if (this.#held >= this.#options.limit) return undefined;
    this.#held += 1;
    return this.#newPermit();
  }

  #newPermit(): Disposable {
    return releaseOnce(() => {
      const [next] = this.#waiting;
      // The permit goes straight to the next caller, so another one can't take it in between.
      if (next === undefined) this.#held -= 1;
      else next();
    });
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { maxWaitMs, clock, onFull, onLate = onFull } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const grant = (): void => {
      this.#waiting.delete(grant);
      resolve();
    };
    const giveUp = (reason: unknown): void => {
      // Leave the queue at once: a permit handed to a caller that has left would never come back.
      if (this.#waiting.delete(grant)) reject(reason);
    };
    const onAbort = (): void => giveUp(signal?.reason);
    this.#waiting.add(grant);
    signal?.addEventListener("abort", onAbort);
    const cancel = maxWaitMs === undefined ? undefined : clock.after(maxWaitMs, () => giveUp(onLate()));
    try {
      await promise;
    } finally {
      cancel?.();
      signal?.removeEventListener("abort", onAbort);
    }
  }
}
