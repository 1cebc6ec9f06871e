import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import { WaitingLine } from "../../concurrency/waiting-line.ts";

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
  readonly #queue: WaitingLine;
  #opens = 0;
  #refills = 0;

  constructor(limits: GateLimits, clock: Clock) {
    this.#limits = limits;
    this.#queue = new WaitingLine(limits.maxWaitMs, clock);
  }

  /** Launches under way. */
  get running(): number {
    return this.#opens + this.#refills;
  }

  /** Opens that wait. */
  get queued(): number {
    return this.#queue.length;
  }

  /**
   * Waits for a turn, in the order of arrival.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when the queue is full or does not move; `signal.reason` when
   *   that is aborted before the turn has come.
   */
  async enter(signal: AbortSignal): Promise<Turn> {
    signal.throwIfAborted();
    if (this.#queue.length > 0 || this.running >= this.#limits.atOnce) await this.#wait(signal);
    else this.#opens += 1;
    return this.#toTurn(() => (this.#opens -= 1));
  }

  /** A turn for a browser that nobody waits for: only while no Open launches or waits, and a quarter of all at most. */
  enterQuietly(): Turn | undefined {
    const isQuiet = this.#opens === 0 && this.#queue.length === 0;
    if (!isQuiet || this.#refills >= Math.max(1, Math.floor(this.#limits.atOnce / 4))) return undefined;
    this.#refills += 1;
    return this.#toTurn(() => (this.#refills -= 1));
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { atOnce, maxQueued, maxWaitMs } = this.#limits;
    if (this.#queue.length >= maxQueued) {
      throw busy(`${this.running} are starting, and ${maxQueued} Opens wait already`);
    }
    await this.#queue.wait(signal, () =>
      busy(`this one has waited ${maxWaitMs / 1000} s for its turn, of ${atOnce} at once`),
    );
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
    while (this.running < this.#limits.atOnce && this.#queue.next()) {
      // Counted here and not by the one who waits: between now and then somebody else could come in.
      this.#opens += 1;
    }
  }
}

function busy(what: string): Failure {
  return new Failure(
    "BrowserUnavailable",
    `This machine starts as many browsers as it can: ${what}. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  );
}
