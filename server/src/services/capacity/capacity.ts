import { withTimeout } from "../../concurrency/abortable.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import { RESERVED_DISK_BYTES } from "../../domain/machine/machine.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** An operator has to free some disk space first. */
const DISK_RETRY_AFTER_S = 60;

/** Requests of all accounts that may wait for a slot. */
const MAX_WAITING = 1000;

/** How many browsers may be open on this machine at the same time, for all accounts together. */
export class Capacity {
  readonly limit: number;
  readonly #freeBytes: () => number;
  readonly #clock: Pick<Clock, "after">;
  readonly #slots: Semaphore;

  /**
   * @param freeBytes What is left on the fullest of the disks that the server writes to.
   * @param onFree Called when a slot is free again after all were taken.
   */
  constructor(
    limit: number,
    clock: Pick<Clock, "after">,
    freeBytes: () => number = () => Infinity,
    onFree: () => void = () => {},
  ) {
    this.limit = limit;
    this.#freeBytes = freeBytes;
    this.#clock = clock;
    this.#slots = new Semaphore({ limit, maxWaiting: MAX_WAITING, clock, onFull: () => this.#toFull(), onFree });
  }

  get taken(): number {
    return this.#slots.held;
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#slots.waiting;
  }

  /**
   * Takes a slot; disposing frees it, once.
   * @param accountId Whose browser it is for. Accounts with fewer browsers get the next free slot.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when all slots are taken, or a disk is nearly full.
   */
  take(accountId = ""): Disposable {
    const slot = this.tryTake(accountId);
    if (slot === undefined) throw this.#toFull();
    return slot;
  }

  /**
   * Takes a slot if one is free.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when a disk is nearly full.
   */
  tryTake(accountId: string): Disposable | undefined {
    this.#checkDisk();
    return this.#slots.tryAcquire(accountId);
  }

  /**
   * Waits for a slot.
   * @param maxMs How long at most.
   * @throws {Failure} As `take`, at the end of the time; immediately if too many requests wait. @throws {unknown}
   *   `signal.reason`.
   */
  wait(accountId: string, maxMs: number, signal: AbortSignal): Promise<Disposable> {
    const limit = { timeoutMs: maxMs, clock: this.#clock, toError: () => this.#toFull(), signal };
    return withTimeout(limit, (either) => this.#slots.acquire(either, accountId));
  }

  #checkDisk(): void {
    if (this.#freeBytes() < RESERVED_DISK_BYTES) {
      throw new Failure(
        "BrowserUnavailable",
        "This server's disk is nearly full: it can't open browsers until the operator frees some space.",
        { retryAfterS: DISK_RETRY_AFTER_S },
      );
    }
  }

  #toFull(): Failure {
    return unavailable(`This machine is full: ${this.taken} of ${this.limit} browsers are open.`);
  }
}
