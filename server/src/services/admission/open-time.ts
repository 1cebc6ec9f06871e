import { type Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

type Limits = {
  /** How long a request may take that doesn't wait for a place, in ms. */
  readonly openTimeoutMs: number;
  /** How long a request may take that waits for one, in ms; 0: it doesn't wait. */
  readonly waitForPlaceMs: number;
};

/** The time that an Open request may take. */
export class OpenTime {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, "after" | "elapsedMs">;
  /** When the request began, in ms of the clock's elapsed time. */
  readonly startedMs: number;
  readonly #late = new AbortController();
  #cancel: () => void = () => {};

  constructor(limits: Limits, clock: Pick<Clock, "after" | "elapsedMs">) {
    this.#limits = limits;
    this.#clock = clock;
    this.startedMs = clock.elapsedMs();
    this.#limit(limits.openTimeoutMs, toTooLate);
  }

  /** Aborted when the time is over. Its reason is the failure that the request rejects with. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  get canWait(): boolean {
    return this.#limits.waitForPlaceMs > 0;
  }

  /**
   * Waits for a place. Afterwards, the browser has to start in what is left of the time.
   * @param work Gets the time in ms that it may take.
   */
  async wait<T>(work: (maxMs: number) => Promise<T>): Promise<T> {
    const { openTimeoutMs, waitForPlaceMs } = this.#limits;
    this.end();
    const taken = await work(this.#leftMs());
    this.#limit(Math.min(openTimeoutMs, this.#leftMs()), () => toTooLateAfterWaiting(waitForPlaceMs));
    return taken;
  }

  /** From now on, the request can't be late. */
  end(): void {
    this.#cancel();
  }

  #limit(maxMs: number, toFailure: (maxMs: number) => Failure): void {
    this.#cancel = this.#clock.after(maxMs, () => this.#late.abort(toFailure(maxMs)));
  }

  #leftMs(): number {
    return Math.max(0, this.startedMs + this.#limits.waitForPlaceMs - this.#clock.elapsedMs());
  }
}

function toTooLate(timeoutMs: number): Failure {
  return unavailable(`The browser did not start within ${timeoutMs / 1000} s.`);
}

function toTooLateAfterWaiting(waitMs: number): Failure {
  return unavailable(
    `The request got a place, but the browser did not start within its WaitForPlace of ${waitMs / 1000} s.`,
  );
}
