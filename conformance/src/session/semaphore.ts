/** Limits how many browsers are open at the same time. Callers wait in order. */
export class Semaphore {
  readonly #all: number;
  #free: number;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(count: number) {
    this.#all = count;
    this.#free = count;
  }

  /**
   * Waits until enough slots are free, and acquires them. Disposal releases the slots.
   * @param wanted Capped at the total number of slots.
   */
  async acquire(wanted: number): Promise<Disposable> {
    const count = Math.min(wanted, this.#all);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    this.#grant();
    await promise;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#free += count;
        this.#grant();
      },
    };
  }

  #grant(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.count <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.count;
      next.resolve();
    }
  }
}
