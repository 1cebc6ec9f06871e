import { unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

type Limits = {
  /** The time limit for requests that don't wait for a place, in ms. */
  readonly openTimeoutMs: number;
  /** How long a request may wait for a place, in ms. If 0, the request doesn't wait. */
  readonly waitForPlaceMs: number;
};

/** The time limit of an Open request. */
export class OpenTime {
  readonly #limits: Limits;
  readonly #clock: Pick<Clock, "after" | "elapsedMs">;
  /** The time at which the request began, on the clock's `elapsedMs`. */
  readonly startedMs: number;
  readonly #late = new AbortController();
  #cancel: () => void = () => {};

  constructor(limits: Limits, clock: Pick<Clock, "after" | "elapsedMs">) {
    this.#limits = limits;
    this.#clock = clock;
    this.startedMs = clock.elapsedMs();
    this.#limit(limits.openTimeoutMs, `The browser did not start within ${limits.openTimeoutMs / 1000} s.`);
  }

  /** Aborted when the time limit expires; its reason is the failure that the request rejects with. */
  get late(): AbortSignal {
    return this.#late.signal;
  }

  get canWait(): boolean {
    return this.#limits.waitForPlaceMs > 0;
  }

  /**
   * Waits for a place. The browser must start in the time that is left after the wait.
   * @param work Called with its time limit in ms.
   */
  async wait<T>(work: (maxMs: number) => Promise<T>): Promise<T> {
    const { openTimeoutMs, waitForPlaceMs } = this.#limits;
    this.end();
    const taken = await work(this.#leftMs());
    const why = `The request got a place, but the browser did not start within its WaitForPlace of ${waitForPlaceMs / 1000} s.`;
    this.#limit(Math.min(openTimeoutMs, this.#leftMs()), why);
    return taken;
  }

  end(): void {
    this.#cancel();
  }

  #limit(maxMs: number, why: string): void {
    this.#cancel = this.#clock.after(maxMs, () => this.#late.abort(unavailable(why)));
  }

  #leftMs(): number {
    return Math.max(0, this.startedMs + this.#limits.waitForPlaceMs - this.#clock.elapsedMs());
  }
}
