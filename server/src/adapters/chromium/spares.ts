import type { Clock } from "../../ports/clock.ts";

/** Delay before replacing a spare, in ms. Until then, the browser that took the spare needs the processors. */
const REFILL_MS = 500;

/** A resource that can be made before it is needed. */
export interface Spare extends AsyncDisposable {
  /** Settles once the resource is unusable. */
  readonly ended: Promise<unknown>;
}

type SparesOptions<Kind, Made> = {
  /** Number of spares to keep of each kind. */
  readonly count: number;
  readonly make: (kind: Kind) => Promise<Made>;
  readonly clock: Pick<Clock, "after">;
};

/** Keeps spares of each kind requested so far. Disposing ends the spares, and no more are made. */
export class Spares<Kind, Made extends Spare> implements AsyncDisposable {
  readonly #options: SparesOptions<Kind, Made>;
  /** Spares, keyed by their kind as JSON text. */
  readonly #spares = new Map<string, { readonly kind: Kind; readonly all: Set<Made> }>();
  #cancelRefill: (() => void) | undefined;
  #refilling: Promise<void> | undefined;
  #isDisposed = false;

  constructor(options: SparesOptions<Kind, Made>) {
    this.#options = options;
  }

  /** @returns Undefined if no spare of this kind is ready. More spares are made for later calls. */
  take(kind: Kind): Made | undefined {
    const key = JSON.stringify(kind);
    const { all } = this.#spares.get(key) ?? { all: new Set() };
    this.#spares.set(key, { kind, all });
    const [spare] = all;
    if (spare !== undefined) all.delete(spare);
    this.#refillLater();
    return spare;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    this.#cancelRefill?.();
    await this.#refilling;
    const all = [...this.#spares.values()].flatMap((spares) => [...spares.all]);
    await Promise.all(all.map((spare) => spare[Symbol.asyncDispose]()));
  }

  #refillLater(): void {
    this.#cancelRefill ??= this.#options.clock.after(REFILL_MS, () => {
      this.#refilling = this.#refill();
    });
  }

  async #refill(): Promise<void> {
    const isMade = await this.#makeMissing();
    this.#cancelRefill = undefined;
    const isFull = [...this.#spares.values()].every(({ all }) => all.size >= this.#options.count);
    if (isMade && !isFull && !this.#isDisposed) this.#refillLater();
  }

  /** @returns False if a spare couldn't be made. The next caller makes its own resource and reports any error. */
  async #makeMissing(): Promise<boolean> {
    const { count, make } = this.#options;
    for (const { kind, all } of this.#spares.values()) {
      for (let missing = count - all.size; missing > 0 && !this.#isDisposed; missing -= 1) {
        const spare = await make(kind).catch(() => undefined);
        if (spare === undefined) return false;
        keep(all, spare);
      }
    }
    return true;
  }
}

/** Keeps a spare until it is taken or ends. */
function keep<Made extends Spare>(all: Set<Made>, spare: Made): void {
  all.add(spare);
  void spare.ended.then(async () => {
    if (all.delete(spare)) await spare[Symbol.asyncDispose]();
  });
}
