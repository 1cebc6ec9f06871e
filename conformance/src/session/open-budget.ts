import type { Exchange } from "../target/exchange.ts";
import type { RunOptions } from "./run-options.ts";
import { Undecidable } from "../target/violation.ts";

/** Limits the total number of browsers that the run opens. */
export class OpenBudget {
  readonly #max: number;
  #left: number;
  #opened = 0;
  /** Requests that have no response yet. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(budget: RunOptions["budget"]) {
    this.#max = budget?.max ?? Infinity;
    this.#left = budget?.left ?? Infinity;
  }

  /** The number of opened browsers, including Open requests without a response. */
  get opened(): number {
    return this.#opened;
  }

  /** @param send Sends an Open request. @throws {Undecidable} If the budget is used up. */
  async spend(send: () => Promise<Exchange>): Promise<Exchange> {
    while (this.#left > 0 && this.#underWay.size >= this.#left) await Promise.race(this.#underWay);
    if (this.#left <= 0) throw new Undecidable(`The run has used up its ${this.#max} browsers (--max-opens).`);
    const sending = send();
    const ended = sending.then(
      ({ received }) => this.#count(received.status < 300),
      // An Open request without a response may have opened a browser.
      (error: unknown) => this.#count(!(error instanceof Undecidable)),
    );
    this.#underWay.add(ended);
    void ended.then(() => this.#underWay.delete(ended));
    return await sending;
  }

  #count(isOpened: boolean): void {
    if (!isOpened) return;
    this.#left -= 1;
    this.#opened += 1;
  }
}
