import type { Clock } from "../ports/clock.ts";
import { releaseOnce } from "./release-once.ts";

type SemaphoreOptions = {
  /** Permits that may be held at the same time. */
  readonly limit: number;
  /** Callers that may wait for a permit. */
  readonly maxWaiting: number;
  /** How long each caller may wait, in ms. Undefined: no limit. */
  readonly maxWaitMs?: number;
  /** Measures `maxWaitMs`. */
  readonly clock: Pick<Clock, "after">;
  /** The error for a caller that arrives while `maxWaiting` others are waiting. */
  readonly onFull: () => Error;
  /** The error for a caller that has waited too long; `onFull` by default. */
  readonly onLate?: () => Error;
};

/** A counting semaphore. Callers get permits in the order in which they called. */
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
   * Waits for a permit. Disposing the permit releases it. Disposing it again has no effect.
   * @throws {Error} `onFull` immediately, `onLate` after `maxWaitMs`, or `signal.reason` if the signal is aborted.
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
      // Passes the permit directly to the next caller, so that another one can't take it first.
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
      // Leave the queue immediately: a permit given to an aborted caller would never be released.
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
