import type { Failure } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";

export type PlacesOptions = {
  readonly limit: number;
  /** How many may wait for a place. */
  readonly maxWaiting: number;
  /** How long each waits at most. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  /** What those are told who get none. */
  readonly onFull: () => Failure;
};

/** Places for work that takes much memory: so much at once, some more waits its turn, all beyond is refused. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Places that are taken, and callers that wait for one. */
  get load(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#waiting.size };
  }

  /**
   * Takes a place, as soon as there is one; disposing gives it back, once.
   * @throws {Failure} `onFull` when too many wait, or it took too long. `signal.reason` when that is aborted.
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { limit, maxWaiting, onFull } = this.#options;
    if (this.#taken < limit) this.#taken += 1;
    else if (this.#waiting.size < maxWaiting) await this.#wait(signal);
    else throw onFull();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#giveBack();
        isHeld = false;
      },
    };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => reject(signal.reason);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", leave);
    const cancel = this.#options.clock.after(this.#options.maxWaitMs, () => reject(this.#options.onFull()));
    try {
      await promise;
    } catch (error) {
      // Its turn may have come in the same moment: then the place is for the next one.
      if (!this.#waiting.delete(resolve)) this.#giveBack();
      throw error;
    } finally {
      cancel();
      signal.removeEventListener("abort", leave);
    }
  }

  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#taken -= 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
