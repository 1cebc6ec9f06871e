/** A long answer that is being received. */
type Arriving = {
  readonly worker: string;
  /** Number of bytes received so far. */
  bytes: number;
  readonly end: (reason: string) => void;
};

/** Limits the memory of long answers that are being received, even from servers that aren't workers. */
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
   * If all answers together have too many bytes, ends the largest answer of the worker with the most bytes. A worker
   * that sends a lot, or slowly, therefore doesn't affect others.
   */
  limit(): void {
    if (countBytes(this.#answers) <= this.#maxBytes) return;
    const workers = [...Map.groupBy(this.#answers, ({ worker }) => worker).values()];
    const [most = []] = workers.toSorted((one, other) => countBytes(other) - countBytes(one));
    const [largest] = most.toSorted((one, other) => other.bytes - one.bytes);
    if (largest === undefined) return;
    this.#answers.delete(largest);
    largest.end(`it was the largest when more than ${this.#maxBytes} bytes of answers were arriving`);
  }
}

function countBytes(answers: Iterable<Arriving>): number {
  return Iterator.from(answers).reduce((sum, { bytes }) => sum + bytes, 0);
}
