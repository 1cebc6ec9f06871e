/** Runs one task at a time, in call order. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles with the result of `work`. A failure doesn't prevent later tasks from running. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work, work);
    this.#last = result;
    return result;
  }
}
