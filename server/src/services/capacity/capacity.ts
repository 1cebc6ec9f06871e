import { withTimeout } from "../../concurrency/abortable.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import { RESERVED_DISK_BYTES } from "../../domain/machine/machine.ts";
import { Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";

/** Longer than usual, because an operator must first free disk space. */
const DISK_RETRY_AFTER_S = 60;

/** The maximum number of waiting requests, for all accounts together. */
const MAX_WAITING = 1000;

/** The machine's slots for open browsers, for all accounts together. */
export class Capacity {
  readonly limit: number;
  readonly #freeBytes: () => number;
  readonly #clock: Pick<Clock, "after">;
  readonly #slots: Semaphore;

  /**
   * @param freeBytes Returns the free space on the server's fullest disk.
   * @param onFree Called when a slot becomes free after all slots were taken.
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

  get waiting(): number {
    return this.#slots.waiting;
  }

  /**
   * Takes a slot. Disposing the slot frees it; disposing again has no effect.
   * @param accountId The browser's account. The account with the fewest browsers receives the next free slot.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` if all slots are taken, or a disk is nearly full.
   */
  take(accountId = ""): Disposable {
    const slot = this.tryTake(accountId);
    if (slot === undefined) throw this.#toFull();
    return slot;
  }

  /**
   * Takes a slot if one is free.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` if a disk is nearly full.
   */
  tryTake(accountId: string): Disposable | undefined {
    this.#checkDisk();
    return this.#slots.tryAcquire(accountId);
  }

  /**
   * Waits for a slot.
   * @param maxMs The maximum wait.
   * @throws {Failure} Like `take`, but after `maxMs`, or immediately if too many requests are waiting.
   * @throws {unknown} `signal.reason`.
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
