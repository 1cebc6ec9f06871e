import { releaseOnce } from "../../concurrency/release-once.ts";
import { RESERVED_DISK_BYTES } from "../../domain/browser/machine.ts";
import { Failure } from "../../domain/failure.ts";

/** Browsers end all the time, so a full machine is worth another try soon. */
const RETRY_AFTER_S = 5;

/** An operator has to free some disk space first. */
const DISK_RETRY_AFTER_S = 60;

/** How many browsers may be open on this machine at the same time, for all accounts together. */
export class Capacity {
  readonly limit: number;
  readonly #freeBytes: () => number;
  #taken = 0;

  /** @param freeBytes What is left on the fullest of the disks that the server writes to. */
  constructor(limit: number, freeBytes: () => number = () => Infinity) {
    this.limit = limit;
    this.#freeBytes = freeBytes;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place; disposing frees it, once.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when all places are taken, or a disk is nearly full.
   */
  take(): Disposable {
    if (this.#freeBytes() < RESERVED_DISK_BYTES) {
      throw new Failure(
        "BrowserUnavailable",
        "This server's disk is nearly full: it can't open browsers until the operator frees some space.",
        { retryAfterS: DISK_RETRY_AFTER_S },
      );
    }
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
