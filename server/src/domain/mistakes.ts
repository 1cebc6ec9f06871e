import { Failure } from "./failure.ts";

/** Collects the mistakes in a request, so that the response lists all of them. */
export class Mistakes {
  readonly #failures: Failure[] = [];

  /** @returns The result of `read`, or undefined after a mistake. */
  attempt<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Failure) || error.errors === undefined) throw error;
      this.#failures.push(error);
      return undefined;
    }
  }

  /** @throws {Failure} `BadRequest` with all mistakes, if there are any. */
  throwIfAny(): void {
    const [first, ...others] = this.#failures;
    if (first === undefined) return;
    if (others.length === 0) throw first;
    const message = this.#failures.map((failure) => failure.message).join(" ");
    throw new Failure("BadRequest", message, { errors: this.#failures.flatMap(({ errors = [] }) => errors) });
  }
}
