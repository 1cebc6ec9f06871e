/** A long answer that is arriving. */
type Arriving = {
  /** Which worker sends it. */
  readonly worker: string;
  /** Bytes that have arrived. */
  bytes: number;
  /** Ends it early. */
  readonly end: (reason: string) => void;
};

/** Limits the memory of long answers that are arriving, whatever workers' URLs lead to. */
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
   * Ends an answer if all of them together have too many bytes: the largest of the worker that has most. So a worker
   * that sends much, or slowly, doesn't end the answers of others.
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
