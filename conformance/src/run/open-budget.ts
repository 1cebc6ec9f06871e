import type { Exchange } from "../target/exchange.ts";
import type { RunOptions } from "./run-options.ts";
import { Undecidable } from "../registry/violation.ts";

/** Sees to it that no more browsers are opened than whoever started the run allows. */
export class OpenBudget {
  readonly #max: number;
  #left: number;
  #opened = 0;
  /** Opens that may yet succeed. */
  readonly #underWay = new Set<Promise<void>>();

  constructor(budget: RunOptions["budget"]) {
    this.#max = budget?.max ?? Infinity;
    this.#left = budget?.left ?? Infinity;
  }

  /** Browsers that were opened, or may have been. */
  get opened(): number {
    return this.#opened;
  }

  /** @param send Sends an Open. @throws {Undecidable} When none may be opened any more. */
  async spend(send: () => Promise<Exchange>): Promise<Exchange> {
    while (this.#left > 0 && this.#underWay.size >= this.#left) await Promise.race(this.#underWay);
    if (this.#left <= 0) throw new Undecidable(`The ${this.#max} browsers that --max-opens allows are used up.`);
    const sending = send();
    const ended = sending.then(
      ({ received }) => this.#count(received.status < 300),
      // What was not answered may have been done.
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
