import type { Clock } from "../../ports/clock.ts";

/** How long to wait after one was taken before others are made, in ms: a browser starts, which needs the processors. */
const REFILL_MS = 500;

/** What can be made before it is asked for. */
export interface Spare extends AsyncDisposable {
  /** Settles when it is of no use any more. */
  readonly ended: Promise<unknown>;
}

type SparesOptions<Made> = {
  /** How many to keep of each kind. */
  readonly count: number;
  readonly make: (kind: readonly string[]) => Promise<Made>;
  readonly clock: Pick<Clock, "after">;
};

/** Keeps some spares of each kind that was asked for. Disposing makes no more, and leaves those that exist. */
export class Spares<Made extends Spare> implements Disposable {
  readonly #options: SparesOptions<Made>;
  readonly #spares = new Map<string, Made[]>();
  #cancelRefill: (() => void) | undefined;
  #isFilling = false;

  constructor(options: SparesOptions<Made>) {
    this.#options = options;
  }

  /** @returns Undefined if there is none. Later there will be some. */
  take(kind: readonly string[]): Made | undefined {
    if (this.#options.count === 0) return undefined;
    const key = JSON.stringify(kind);
    const spares = this.#spares.get(key) ?? [];
    this.#spares.set(key, spares);
    this.#refillLater();
    return spares.shift();
  }

  [Symbol.dispose](): void {
    this.#cancelRefill?.();
    this.#isFilling = true;
  }

  #refillLater(): void {
    if (this.#isFilling) return;
    this.#isFilling = true;
    this.#cancelRefill = this.#options.clock.after(REFILL_MS, () => void this.#refill());
  }

  async #refill(): Promise<void> {
    const { count, make } = this.#options;
    try {
      for (const [key, spares] of this.#spares) {
        for (let missing = count - spares.length; missing > 0; missing -= 1) {
          const made = await make(JSON.parse(key) as readonly string[]);
          spares.push(made);
          void made.ended.then(() => discard(spares, made));
        }
      }
    } catch {
      // What is wrong is reported by the next one that is asked for.
    }
    this.#isFilling = false;
  }
}

/** Removes one that was not taken. */
function discard<Made extends Spare>(spares: Made[], spare: Made): void {
  if (!spares.includes(spare)) return;
  spares.splice(spares.indexOf(spare), 1);
  void spare[Symbol.asyncDispose]();
}
