import { withTimeout } from "../../concurrency/abortable.ts";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Placed, Placement } from "./placement.ts";

/** How often the workers' reports are read while requests wait, in ms. */
const LOOK_MS = 500;
/** Requests of all accounts that may wait. */
const MAX_WAITING = 1000;

type Wanted = {
  readonly kind: BrowserKind;
  /** As for `Placement.place`. */
  readonly digest: string;
};

type Waiting = Wanted & { readonly take: (placed: Placed) => void; readonly refuse: () => void };

type Needs = {
  readonly placement: Pick<Placement, "place" | "onFree" | "toUnplaced">;
  /** Reads the workers' reports. */
  readonly look: () => Promise<void>;
  readonly clock: Pick<Clock, "after">;
};

/**
 * Open requests that were admitted and wait until a worker has a place. Accounts take turns, and the requests of an account are
 * served in the order in which they came.
 */
export class WorkerQueue {
  readonly #needs: Needs;
  /** By account. The account whose turn comes next is the first. */
  readonly #lines = new Map<string, Set<Waiting>>();
  #cancelListening: (() => void) | undefined;
  /** Cancels the next look, if it is planned. */
  #cancelLook: (() => void) | undefined;
  #isLooking = false;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.size, 0);
  }

  /**
   * Waits for a place.
   * @param maxMs How long at most.
   * @throws {Failure} `BrowserUnavailable` at the end of the time. If too many requests wait, the last one of the account that has the
   *   most of them is refused at once.
   * @throws {unknown} `signal.reason`.
   */
  async wait(accountId: string, wanted: Wanted, maxMs: number, signal: AbortSignal): Promise<Placed> {
    const { clock, placement } = this.#needs;
    if (this.waiting >= MAX_WAITING) this.#makeRoom(accountId);
    const limit = { timeoutMs: maxMs, clock, toError: () => placement.toUnplaced(), signal };
    return withTimeout(limit, (either) => this.#join(accountId, wanted, either));
  }

  /** @throws {Failure} If no account has more requests than this one. */
  #makeRoom(accountId: string): void {
    const own = this.#lines.get(accountId)?.size ?? 0;
    const [longest] = [...this.#lines.values()].toSorted((one, other) => other.size - one.size);
    if (longest === undefined || longest.size <= own + 1) throw this.#needs.placement.toUnplaced();
    [...longest].at(-1)?.refuse();
  }

  #join(accountId: string, wanted: Wanted, signal: AbortSignal): Promise<Placed> {
    const { promise, resolve, reject } = Promise.withResolvers<Placed>();
    const line = this.#lines.get(accountId) ?? new Set();
    const leave = (): void => {
      signal.removeEventListener("abort", onAbort);
      line.delete(waiting);
      if (line.size === 0 && this.#lines.get(accountId) === line) this.#lines.delete(accountId);
      this.#listen();
    };
    const onAbort = (): void => {
      leave();
      reject(signal.reason);
    };
    const waiting: Waiting = {
      ...wanted,
      refuse: () => {
        leave();
        reject(this.#needs.placement.toUnplaced());
      },
      take: (placed) => {
        leave();
        resolve(placed);
      },
    };
    this.#lines.set(accountId, line.add(waiting));
    signal.addEventListener("abort", onAbort, { once: true });
    this.#listen();
    return promise;
  }

  /** Listens while requests wait. */
  #listen(): void {
    const { placement } = this.#needs;
    if (this.#lines.size > 0) {
      this.#cancelListening ??= placement.onFree(() => this.#serve());
      this.#lookLater();
    } else {
      this.#cancelListening?.();
      this.#cancelLook?.();
      this.#cancelListening = this.#cancelLook = undefined;
    }
  }

  #lookLater(): void {
    const { look, clock } = this.#needs;
    if (this.#isLooking) return;
    this.#cancelLook ??= clock.after(LOOK_MS, () => {
      this.#cancelLook = undefined;
      this.#isLooking = true;
      // If the store doesn't answer, the next look comes soon.
      void look()
        .catch(() => {})
        .finally(() => {
          this.#isLooking = false;
          this.#listen();
        });
    });
  }

  /** Gives places to the first requests of the accounts, in turns, as long as workers have some. */
  #serve(): void {
    for (;;) {
      let isServed = false;
      for (const [accountId, line] of [...this.#lines]) {
        const [first] = line;
        const placed = first && this.#needs.placement.place(first.kind, undefined, first.digest);
        if (first === undefined || placed === undefined) continue;
        first.take(placed);
        isServed = true;
        if (line.size === 0) continue;
        // Its next turn comes after those of the others.
        this.#lines.delete(accountId);
        this.#lines.set(accountId, line);
      }
      if (!isServed) return;
    }
  }
}
