import type { Failure } from "../domain/failure.ts";
import type { Clock } from "../ports/clock.ts";
import { WaitingLine } from "./waiting-line.ts";

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
  readonly #line: WaitingLine;
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#line = new WaitingLine(options.maxWaitMs, options.clock);
  }

  /** Places that are taken, and callers that wait for one. */
  get load(): { readonly taken: number; readonly waiting: number } {
    return { taken: this.#taken, waiting: this.#line.length };
  }

  /**
   * Takes a place, as soon as there is one; disposing gives it back, once.
   * @throws {Failure} `onFull` when too many wait, or it took too long. `signal.reason` when that is aborted.
   */
  async take(signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { limit, maxWaiting, onFull } = this.#options;
    if (this.#taken < limit) this.#taken += 1;
    else if (this.#line.length < maxWaiting) await this.#line.wait(signal, onFull);
    else throw onFull();
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#giveBack();
        isHeld = false;
      },
    };
  }

  #giveBack(): void {
    if (!this.#line.next()) this.#taken -= 1;
  }
}
