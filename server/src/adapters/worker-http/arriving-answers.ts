/** A long response that is being received. */
type Arriving = {
  readonly worker: string;
  /** Number of bytes received so far. */
  bytes: number;
  readonly end: (reason: string) => void;
};

/** Limits the memory used by long responses that are being received, even from servers that aren't workers. */
export class ArrivingAnswers {
  readonly #maxBytes: number;
  readonly #answers = new Set<Arriving>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(answer: Arriving): void {
    this.#answers.add(answer);
  }

  delete(answer: Arriving): void {
    this.#answers.delete(answer);
  }

  /**
   * If all responses together exceed the limit, aborts the largest response from the worker with the most bytes. A
   * worker that sends a lot of data, or sends it slowly, therefore doesn't affect other workers.
   */
  limit(): void {
    if (countBytes(this.#answers) <= this.#maxBytes) return;
    const workers = [...Map.groupBy(this.#answers, ({ worker }) => worker).values()];
    const [most = []] = workers.toSorted((one, other) => countBytes(other) - countBytes(one));
    const [largest] = most.toSorted((one, other) => other.bytes - one.bytes);
    if (largest === undefined) return;
    this.#answers.delete(largest);
    largest.end(`it was the largest when more than ${this.#maxBytes} bytes of responses were arriving`);
  }
}

function countBytes(answers: Iterable<Arriving>): number {
  return Iterator.from(answers).reduce((sum, { bytes }) => sum + bytes, 0);
}
