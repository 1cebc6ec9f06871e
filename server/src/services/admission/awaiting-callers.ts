import type { Clock } from "../../ports/clock.ts";

/** How long a browser that was opened with an Idempotency-Key waits for a client to ask for it again, in ms. */
export const ABANDONED_MS = 30_000;

/** Who waits for the answer to an Open with an Idempotency-Key, or has got it. */
export class AwaitingCallers {
  readonly #clock: Pick<Clock, "after">;
  readonly #onAbandoned: () => void;
  #callers = 0;
  #cancelTimer: () => void = () => {};
  #isAbandoned = false;

  /** @param onAbandoned Called once, when all callers have been gone for the time above. */
  constructor(clock: Pick<Clock, "after">, onAbandoned: () => void) {
    this.#clock = clock;
    this.#onAbandoned = onAbandoned;
  }

  /** @param disconnected Aborted when the caller leaves without the answer. @returns Whether it isn't too late. */
  join(disconnected: AbortSignal): boolean {
    if (this.#isAbandoned) return false;
    this.#callers += 1;
    this.#cancelTimer();
    if (disconnected.aborted) this.#leave();
    else disconnected.addEventListener("abort", () => this.#leave(), { once: true });
    return true;
  }

  /** Callers are not awaited any more, for example because the browser has ended. */
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
