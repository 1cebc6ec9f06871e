/** So many browsers may be open at once; who needs some waits until they are free, in the order of asking. */
export class Semaphore {
  readonly #all: number;
  #free: number;
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  constructor(count: number) {
    this.#all = count;
    this.#free = count;
  }

  /** Gets them all at once. Disposing gives them back. @param wanted More than there are counts as all. */
  async acquire(wanted: number): Promise<Disposable> {
    const count = Math.min(wanted, this.#all);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve: resolve });
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
