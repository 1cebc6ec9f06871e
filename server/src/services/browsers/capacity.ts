import { releaseOnce } from "../../concurrency/release-once.ts";
import { Failure } from "../../domain/failure.ts";

/** Browsers end all the time, so a full machine is worth another try soon. */
const RETRY_AFTER_S = 5;

/** How many browsers may be open on this machine at the same time, for all accounts together. */
export class Capacity {
  readonly limit: number;
  #taken = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place; disposing frees it, once.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when all places are taken.
   */
  take(): Disposable {
    if (this.#taken >= this.limit) {
      throw new Failure(
        "BrowserUnavailable",
        `This machine is full: ${this.#taken} of ${this.limit} browsers are open. Try again in ${RETRY_AFTER_S} s.`,
        { retryAfterS: RETRY_AFTER_S },
      );
    }
    this.#taken += 1;
    return releaseOnce(() => (this.#taken -= 1));
  }
}
