import { releaseOnce } from "../../concurrency/release-once.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** A browser starts in about a second, so the queue shortens quickly. */
const RETRY_AFTER_S = 5;

export type GateLimits = {
  /** Launches that may run at once. */
  readonly atOnce: number;
  /** Opens that may wait for their turn. */
  readonly maxQueued: number;
  /** How long each of them may wait, in ms. */
  readonly maxWaitMs: number;
};

/** Limits how many browsers start at once: more than the processor can handle would only slow each other down. */
export class LaunchGate {
  readonly #launches: Semaphore;
  readonly #maxRefills: number;
  #refills = 0;

  constructor({ atOnce, maxQueued, maxWaitMs }: GateLimits, clock: Clock) {
    this.#maxRefills = Math.max(1, Math.floor(atOnce / 4));
    this.#launches = new Semaphore({
      limit: atOnce,
      maxWaiting: maxQueued,
      maxWaitMs,
      clock,
      onFull: () => busy(`${this.running} are starting, and ${maxQueued} Opens wait already`),
      onLate: () => busy(`this one has waited ${maxWaitMs / 1000} s for its turn, of ${atOnce} at once`),
    });
  }

  /** Launches under way. */
  get running(): number {
    return this.#launches.held;
  }

  /** Opens that wait for their turn. */
  get waiting(): number {
    return this.#launches.waiting;
  }

  /**
   * Waits for a turn to launch, in the order of arrival. Disposing ends the turn.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when the queue is full or too slow; `signal.reason` when that
   *   is aborted first.
   */
  acquire(signal: AbortSignal): Promise<Disposable> {
    return this.#launches.acquire(signal);
  }

  /**
   * A turn to launch a warm browser. Warm browsers get up to a quarter of all turns, and only while no Open launches or
   * waits; undefined otherwise.
   */
  tryAcquireForRefill(): Disposable | undefined {
    const isQuiet = this.running === this.#refills && this.waiting === 0;
    if (!isQuiet || this.#refills >= this.#maxRefills) return undefined;
    const turn = this.#launches.tryAcquire();
    if (turn === undefined) return undefined;
    this.#refills += 1;
    return releaseOnce(() => {
      this.#refills -= 1;
      turn[Symbol.dispose]();
    });
  }
}

function busy(reason: string): Failure {
  return new Failure(
    "BrowserUnavailable",
    `This machine starts as many browsers as it can: ${reason}. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
