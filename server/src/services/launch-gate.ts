import { Failure } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";

/** A browser starts in a second or so, so the queue is shorter soon. */
const RETRY_AFTER_S = 5;

export type GateLimits = {
  /** Launches that may run at once. */
  readonly atOnce: number;
  /** Opens that may wait for their turn. */
  readonly maxQueued: number;
  /** How long each of them may wait, in ms. */
  readonly maxWaitMs: number;
};

/** Its turn to launch; disposing lets the next one in, once. */
export type Turn = Disposable;

/** Lets no more browsers start at once than the processor carries: more of them would only all be late. */
export class LaunchGate {
  readonly #limits: GateLimits;
  readonly #clock: Clock;
  /** Those whose turn comes, the longest waiting first; each call lets one in. */
  readonly #queue = new Set<() => void>();
  #opens = 0;
  #refills = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Launches under way. */
  get running(): number {
    return this.#opens + this.#refills;
  }

  /** Opens that wait. */
  get queued(): number {
    return this.#queue.size;
  }

  /**
   * Waits for a turn, in the order of arrival.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when the queue is full or does not move; `signal.reason` when
   *   that is aborted before the turn has come.
   */
  async enter(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#queue.size > 0 || this.running >= this.#limits.atOnce) await this.#wait(signal);
    else this.#opens += 1;
    return this.#toTurn(() => (this.#opens -= 1));
  }

  /** A turn for a browser that nobody waits for: only while no Open launches or waits, and a quarter of all at most. */
  enterQuietly(): Turn | undefined {
    const isQuiet = this.#opens === 0 && this.#queue.size === 0;
    if (!isQuiet || this.#refills >= Math.max(1, Math.floor(this.#limits.atOnce / 4))) return undefined;
    this.#refills += 1;
    return this.#toTurn(() => (this.#refills -= 1));
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { atOnce, maxQueued, maxWaitMs } = this.#limits;
    if (this.#queue.size >= maxQueued) {
      throw busy(`${this.running} browsers are starting (of ${atOnce} at once) and ${maxQueued} Opens wait already`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (reason: unknown): void => {
      // At once: a turn that is given to somebody who has left would never be given back.
      if (this.#queue.delete(resolve)) reject(reason);
    };
    const leave = (): void => giveUp(signal.reason);
    signal.addEventListener("abort", leave);
    const cancel = this.#clock.after(maxWaitMs, () =>
      giveUp(busy(`this one has waited ${maxWaitMs / 1000} s for its turn, of ${atOnce} at once`)),
    );
    this.#queue.add(resolve);
    try {
      await promise;
    } finally {
      cancel();
      signal.removeEventListener("abort", leave);
    }
  }

  #toTurn(release: () => void): Turn {
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        release();
        this.#letIn();
      },
    };
  }

  #letIn(): void {
    for (const enter of this.#queue) {
      if (this.running >= this.#limits.atOnce) return;
      this.#queue.delete(enter);
      // Counted here and not by the one who waits: between now and then somebody else could come in.
      this.#opens += 1;
      enter();
    }
  }
}

function busy(what: string): Failure {
  return new Failure(
    "BrowserUnavailable",
    `This machine starts as many browsers as it can: ${what}. Try again shortly.`,
    {
      retryAfterS: RETRY_AFTER_S,
    },
  );
}
