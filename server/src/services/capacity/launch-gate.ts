import { releaseOnce } from "../../concurrency/release-once.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import { type Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

export type GateLimits = {
  readonly atOnce: number;
  /** The maximum number of waiting Open requests. */
  readonly maxQueued: number;
  /** The maximum wait of each request, in ms. */
  readonly maxWaitMs: number;
};

/** Limits how many browsers start at the same time, because too many would slow each other down. */
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
      onFull: () => busy(`${this.running} are starting, and ${maxQueued} requests are waiting`),
      onLate: () =>
        busy(`this request waited ${maxWaitMs / 1000} s, and at most ${atOnce} browsers start at the same time`),
    });
  }

  get running(): number {
    return this.#launches.held;
  }

  get waiting(): number {
    return this.#launches.waiting;
  }

  /**
   * Waits for a permit to launch. Permits are granted in the order of the calls. Disposing a permit releases it.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` if the queue is full or too slow; `signal.reason` if the
   * signal is aborted first.
   */
  acquire(signal: AbortSignal): Promise<Disposable> {
    return this.#launches.acquire(signal);
  }

  /**
   * Takes a permit to launch a warm browser. Warm browsers use at most a quarter of the permits, and only while no Open
   * request is launching or waiting.
   * @returns Undefined if the warm browser must wait.
   */
  tryAcquireForRefill(): Disposable | undefined {
    const isQuiet = this.running === this.#refills && this.waiting === 0;
    if (!isQuiet || this.#refills >= this.#maxRefills) return undefined;
    const permit = this.#launches.tryAcquire();
    if (permit === undefined) return undefined;
    this.#refills += 1;
    return releaseOnce(() => {
      this.#refills -= 1;
      permit[Symbol.dispose]();
    });
  }
}

function busy(reason: string): Failure {
  return unavailable(`This machine is starting as many browsers as it can: ${reason}.`);
}
