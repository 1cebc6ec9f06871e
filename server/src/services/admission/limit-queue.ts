import { type Failure, isFailure } from "../../domain/failure.ts";
import type { Terms } from "../../domain/plan/entitlement.ts";
import type { Clock } from "../../ports/clock.ts";
import type { UsageStore } from "../../ports/store/usage-store.ts";
import { storeFailure } from "../store/store-failure.ts";

/** Maximum number of waiting requests per account. Each request takes about 10 KB, mostly for its connection. */
const MAX_WAITING = 100;
/** Interval at which the queue checks whether browsers have ended on other servers or terms have changed, in ms. */
const SWEEP_MS = 1000;

/** The terms at the time of a refusal, and the account's version. The terms may differ in later versions. */
type Offer = Pick<Terms, "parallel"> & { readonly version: number };

/**
 * Tries to reserve one of the account's browsers.
 * @param onOffer Called with the account's terms on each attempt.
 * @throws {Failure} `BrowserLimit` if the account has reached its limit.
 */
export type Attempt<T> = (onOffer: (offer: Offer) => void) => Promise<T>;

type Waiting = {
  /** @returns The refusal if the request is still waiting; undefined if the request is finished. Never rejects. */
  readonly attempt: () => Promise<Failure | undefined>;
};

/** An account's waiting requests, in order of arrival. */
type Line = {
  readonly all: Set<Waiting>;
  /** The request whose attempt is in progress. */
  trying: Waiting | undefined;
  /** Whether the account may be below its limit. */
  isDue: boolean;
  refusal: Failure | undefined;
  offer: Offer | undefined;
};

const EMPTY_LINE = { trying: undefined, isDue: false, refusal: undefined, offer: undefined };

type LimitQueueNeeds = { readonly clock: Pick<Clock, "after">; readonly store: Pick<UsageStore, "loads"> };

/**
 * Open requests that are waiting for their account to drop below its limit. Only the first waiting request of each
 * account retries, so the others consume nothing but memory.
 */
export class LimitQueue {
  readonly #needs: LimitQueueNeeds;
  /** Waiting requests, keyed by account. */
  readonly #lines = new Map<string, Line>();
  #cancelSweep: (() => void) | undefined;

  constructor(needs: LimitQueueNeeds) {
    this.#needs = needs;
  }

  get waiting(): number {
    return [...this.#lines.values()].reduce((sum, { all }) => sum + all.size, 0);
  }

  has(accountId: string): boolean {
    return this.#lines.has(accountId);
  }

  /**
   * Waits until an attempt is admitted.
   * @param maxMs The maximum wait.
   * @returns The attempt's result, even if the signal was aborted during the attempt.
   * @throws {Failure} `BrowserLimit` after `maxMs`, or immediately if too many of the account's requests are waiting.
   * @throws {unknown} An attempt's rejection, unless it's `BrowserLimit`; `signal.reason`.
   */
  async admit<T>(accountId: string, attempt: Attempt<T>, maxMs: number, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const line: Line = this.#lines.get(accountId) ?? { ...EMPTY_LINE, all: new Set() };
    if (line.all.size >= MAX_WAITING) throw toReason(line);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    let reason: unknown;
    const waiting: Waiting = {
      async attempt() {
        try {
          resolve(await attempt((offer) => (line.offer = offer)));
        } catch (error) {
          if (isFailure(error, "BrowserLimit") && reason === undefined) return error as Failure;
          reject(reason ?? error);
        }
        return undefined;
      },
    };
    const leave = (why: unknown): void => {
      reason = why;
      // An attempt in progress may have reserved a browser, so its result counts.
      if (line.trying === waiting) return;
      line.all.delete(waiting);
      reject(why);
    };
    const onAbort = (): void => leave(signal.reason);
    signal.addEventListener("abort", onAbort);
    const cancel = this.#needs.clock.after(maxMs, () => leave(toReason(line)));
    this.#lines.set(accountId, line);
    line.all.add(waiting);
    if (line.all.size === 1) this.wake(accountId);
    this.#sweepLater();
    try {
      return await promise;
    } finally {
      cancel();
      signal.removeEventListener("abort", onAbort);
      line.all.delete(waiting);
      this.#forgetEmpty(accountId, line);
    }
  }

  /** Reports that the account may be below its limit. */
  wake(accountId: string): void {
    const line = this.#lines.get(accountId);
    if (line === undefined) return;
    line.isDue = true;
    if (line.trying === undefined) void serve(line);
  }

  #forgetEmpty(accountId: string, line: Line): void {
    if (line.all.size > 0 || this.#lines.get(accountId) !== line) return;
    this.#lines.delete(accountId);
    if (this.#lines.size > 0) return;
    this.#cancelSweep?.();
    this.#cancelSweep = undefined;
  }

  #sweepLater(): void {
    this.#cancelSweep ??= this.#needs.clock.after(SWEEP_MS, () => void this.#sweep());
  }

  /** Wakes the accounts that are below their limit or have new terms, using a single query. */
  async #sweep(): Promise<void> {
    try {
      const loads = await this.#needs.store.loads([...this.#lines.keys()]);
      for (const [accountId, { offer }] of this.#lines) {
        const load = loads.get(accountId);
        const isFull = load !== undefined && load.version === offer?.version && load.browsers >= offer.parallel;
        if (!isFull) this.wake(accountId);
      }
    } catch {
      // If the store fails, the next sweep tries again.
    } finally {
      this.#cancelSweep = undefined;
      if (this.#lines.size > 0) this.#sweepLater();
    }
  }
}

/**
 * Returns the reason why a request was refused. If the request was refused. If it was never refused, the reason is that
 * the store was too slow.
 */
function toReason({ refusal }: Line): Failure {
  return refusal ?? storeFailure(undefined);
}

/** Retries the requests one by one until one is refused. */
async function serve(line: Line): Promise<void> {
  while (line.isDue) {
    line.isDue = false;
    const [first] = line.all;
    if (first === undefined) return;
    line.trying = first;
    const refusal = await first.attempt();
    line.trying = undefined;
    line.refusal = refusal ?? line.refusal;
    if (refusal !== undefined) continue;
    line.all.delete(first);
    line.isDue = true;
  }
}
