import { withTimeout } from "../../concurrency/abortable.ts";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Placed, Placement } from "./placement.ts";

/** The interval at which the workers' reports are read while requests wait, in ms. */
const LOOK_MS = 500;
/** The maximum number of waiting requests, for all accounts together. */
const MAX_WAITING = 1000;

/** A request's turn, kept even if a worker refuses the request. */
export type Turn = {
  /** An account's requests with lower numbers are served first. */
  readonly number: number;
  /** The account's turn when a worker was last chosen for the request; undefined before the first choice. */
  ofAccount?: number;
};

type Wanted = {
  readonly kind: BrowserKind;
  /** Like in `Placement.place`. */
  readonly digest: string;
  readonly turn: Turn;
};

type Waiting = Wanted & { readonly take: (placed: Placed) => void; readonly refuse: () => void };

type Line = {
  /** The account's waiting requests, in order of arrival. */
  readonly requests: Waiting[];
  /** Accounts with lower numbers are served first. */
  turn: number;
};

type WorkerQueueNeeds = {
  readonly placement: Pick<Placement, "place" | "onFree" | "toUnplaced">;
  /** Reads the workers' reports. */
  readonly look: () => Promise<void>;
  readonly clock: Pick<Clock, "after">;
};

/**
 * Queues admitted Open requests until a worker has a free slot. Accounts take turns, and an account's requests are
 * served in order of arrival. Reports are slightly outdated, so a worker may refuse a request. The request then waits
 * again, and keeps its turn.
 */
export class WorkerQueue {
  readonly #needs: WorkerQueueNeeds;
  /** Waiting requests by account. */
  readonly #lines = new Map<string, Line>();
  #turns = 0;
  #cancelListening: (() => void) | undefined;
  /** Cancels the scheduled read of the reports; undefined if no read is scheduled. */
  #cancelLook: (() => void) | undefined;
  #isLooking = false;

  constructor(needs: WorkerQueueNeeds) {
    this.#needs = needs;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { requests }) => sum + requests.length, 0);
  }

  newTurn(): Turn {
    return { number: (this.#turns += 1) };
  }

  /**
   * Waits for a free slot.
   * @param wanted Contains the previous turn if the request has waited before.
   * @param maxMs The maximum wait.
   * @throws {Failure} `BrowserUnavailable` after `maxMs`. If too many requests wait, the last request of the account
   * with the most requests is refused immediately.
   * @throws {unknown} `signal.reason`.
   */
  async wait(accountId: string, wanted: Wanted, maxMs: number, signal: AbortSignal): Promise<Placed> {
    const { clock, placement } = this.#needs;
    if (this.waiting >= MAX_WAITING) this.#makeRoom(accountId);
    const limit = { timeoutMs: maxMs, clock, toError: () => placement.toUnplaced(), signal };
    return withTimeout(limit, (either) => this.#join(accountId, wanted, either));
  }

  /** @throws {Failure} If no other account has more waiting requests than this one. */
  #makeRoom(accountId: string): void {
    const own = this.#lines.get(accountId)?.requests.length ?? 0;
    const all = [...this.#lines.values()].map(({ requests }) => requests);
    const [longest = []] = all.toSorted((one, other) => other.length - one.length);
    if (longest.length <= own + 1) throw this.#needs.placement.toUnplaced();
    longest.at(-1)?.refuse();
  }

  #join(accountId: string, wanted: Wanted, signal: AbortSignal): Promise<Placed> {
    const { promise, resolve, reject } = Promise.withResolvers<Placed>();
    const { number, ofAccount } = wanted.turn;
    const line = this.#lines.get(accountId) ?? { requests: [], turn: (this.#turns += 1) };
    line.turn = Math.min(line.turn, ofAccount ?? line.turn);
    const { requests } = line;
    const leave = (): void => {
      signal.removeEventListener("abort", onAbort);
      requests.splice(requests.indexOf(waiting), 1);
      if (requests.length === 0 && this.#lines.get(accountId) === line) this.#lines.delete(accountId);
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
    requests.splice(requests.findLastIndex(({ turn }) => turn.number < number) + 1, 0, waiting);
    this.#lines.set(accountId, line);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#listen();
    return promise;
  }

  /** Watches for free slots while requests wait. */
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
      // If the store fails, the reports are soon read again.
      void look()
        .catch(() => {})
        .finally(() => {
          this.#isLooking = false;
          this.#listen();
        });
    });
  }

  /** Assigns free slots to each account's first request. Accounts take turns. */
  #serve(): void {
    for (;;) {
      let isServed = false;
      for (const line of [...this.#lines.values()].toSorted((one, other) => one.turn - other.turn)) {
        const [first] = line.requests;
        const placed = first && this.#needs.placement.place(first.kind, undefined, first.digest);
        if (first === undefined || placed === undefined) continue;
        first.turn.ofAccount = line.turn;
        line.turn = this.#turns += 1;
        first.take(placed);
        isServed = true;
      }
      if (!isServed) return;
    }
  }
}
