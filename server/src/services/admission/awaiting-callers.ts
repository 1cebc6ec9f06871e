import type { Clock } from "../../ports/clock.ts";

/** How long a browser with an Idempotency-Key is kept for another request after all callers disconnect, in ms. */
export const ABANDONED_MS = 30_000;

/** The connected callers of an Open with an Idempotency-Key. */
export class AwaitingCallers {
  readonly #clock: Pick<Clock, "after">;
  readonly #onAbandoned: () => void;
  #callers = 0;
  #cancelTimer: () => void = () => {};
  #isAbandoned = false;

  /** @param onAbandoned Called once, when all callers have been disconnected for `ABANDONED_MS`. */
  constructor(clock: Pick<Clock, "after">, onAbandoned: () => void) {
    this.#clock = clock;
    this.#onAbandoned = onAbandoned;
  }

  /**
   * @param disconnected Aborted when the caller disconnects without a response.
   * @returns False if it is too late to join.
   */
  join(disconnected: AbortSignal): boolean {
    if (this.#isAbandoned) return false;
    this.#callers += 1;
    this.#cancelTimer();
    if (disconnected.aborted) this.#leave();
    else disconnected.addEventListener("abort", () => this.#leave(), { once: true });
    return true;
  }

  /** Stops waiting for callers, for example because the browser has ended. */
  end(): void {
    this.#cancelTimer();
    this.#isAbandoned = true;
  }

  #leave(): void {
    this.#callers -= 1;
    if (this.#callers > 0 || this.#isAbandoned) return;
    this.#cancelTimer = this.#clock.after(ABANDONED_MS, () => {
      this.#isAbandoned = true;
      this.#onAbandoned();
    });
  }
}
