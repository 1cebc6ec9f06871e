import { repeat } from "../../concurrency/repeat.ts";
import { type Account, toSubscription } from "../../domain/account/account.ts";
import { toTerms } from "../../domain/plan/entitlement.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import { type Failure, isFailure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WorkerInstance } from "../../ports/store/fleet-store.ts";
import { type Metrics, outcomeOf } from "../../ports/metrics.ts";
import { type BrowserStore, type Idempotency, KeyTaken } from "../../ports/store/store.ts";
import type { OpenTime } from "./open-time.ts";
import type { Attempt, LimitQueue } from "./limit-queue.ts";
import { orStoreFailure } from "../store/store-failure.ts";
import { type TransferableReservation, type ReserveNeeds, reserve } from "./reserve.ts";

export type AdmissionNeeds = ReserveNeeds & {
  readonly store: Pick<BrowserStore, "findKeyed">;
  readonly plans: Plans;
  /** The parallel limit for accounts that don't have their own. */
  readonly capacity: { readonly limit: number };
  readonly queue: LimitQueue;
  /** Returns the reason if browsers currently can't be opened; otherwise undefined. */
  readonly findRefusal: () => Failure | undefined;
};

/** Interval at which a waiting request with a key checks whether another server is opening its browser, in ms. */
const KEY_CHECK_MS = 1000;

type Wanted = {
  readonly browserId: string;
  readonly account: Account;
  readonly options: OpenOptions;
  readonly idempotency: Idempotency | undefined;
  /** Chooses the process that opens the browser; undefined: this process. */
  readonly chooseWorker?: () => WorkerInstance | undefined;
};

/**
 * Reserves a place for one more of the account's browsers, after any earlier waiting requests.
 * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
 * @throws {KeyTaken} If the Idempotency-Key belongs to another browser.
 */
export async function admit(
  { browserId, account, options, idempotency, chooseWorker }: Wanted,
  time: OpenTime,
  signal: AbortSignal,
  needs: AdmissionNeeds,
): Promise<TransferableReservation> {
  const { queue, plans, capacity, clock, findRefusal } = needs;
  /** Another server may have used up the account's parallel limit to open this key's browser. */
  const checkKey = async (): Promise<void> => {
    const found = idempotency && (await orStoreFailure(needs.store.findKeyed(account.id, [idempotency.key])));
    if (found !== undefined && found.browserId !== browserId) {
      throw new KeyTaken("The Idempotency-Key belongs to another browser.");
    }
  };
  const attempt: Attempt<TransferableReservation> = async (onOffer) => {
    const refusal = findRefusal();
    if (refusal !== undefined) throw refusal;
    const admitting = reserve(
      { ...options, browserId, requestedAt: clock.now(), idempotency, workerInstance: chooseWorker?.() },
      account,
      (one) => {
        const terms = toTerms(toSubscription(one, plans), one.hasAdditionalUnits, capacity.limit);
        onOffer({ version: one.version, parallel: terms.parallel });
        return terms;
      },
      needs,
    );
    return await admitting.catch(async (error: unknown) => {
      if (isFailure(error, "BrowserLimit")) await checkKey();
      throw error;
    });
  };
  if (!time.canWait) return await attempt(() => {});
  const admitted = queue.has(account.id) ? undefined : await orFull(attempt(() => {}));
  if (admitted !== undefined) return admitted;
  using watch = idempotency === undefined ? undefined : watchKey(checkKey, clock);
  const either = watch ? AbortSignal.any([signal, watch.taken]) : signal;
  return await time.wait((maxMs) => queue.admit(account.id, attempt, maxMs, either));
}

/**
 * Until disposed, regularly checks whether another server has started to open this key's browser. If so, waiting is
 * pointless.
 */
function watchKey(
  check: () => Promise<void>,
  clock: Pick<Clock, "after">,
): Disposable & { readonly taken: AbortSignal } {
  const taken = new AbortController();
  const looks = repeat(KEY_CHECK_MS, clock, () =>
    check().catch((error: unknown) => {
      // If the store fails, the next periodic check tries again.
      if (error instanceof KeyTaken) taken.abort(error);
    }),
  );
  return { ...looks, taken: taken.signal };
}

/**
 * @returns Undefined if the account has reached its limit. The failure isn't kept while requests wait, because its
 * stack is large.
 */
async function orFull<T>(admitting: Promise<T>): Promise<T | undefined> {
  try {
    return await admitting;
  } catch (error) {
    if (isFailure(error, "BrowserLimit")) return undefined;
    throw error;
  }
}

/**
 * Counts the outcome of an Open request, unless its Idempotency-Key belongs to another browser, in which case the
 * request returns that browser.
 * @param disconnected Aborted when the caller disconnects.
 */
export async function countOpen<Opened>(
  answer: Promise<Opened>,
  disconnected: AbortSignal,
  metrics: Pick<Metrics, "openAnswered">,
): Promise<Opened> {
  try {
    const opened = await answer;
    metrics.openAnswered("ok");
    return opened;
  } catch (error) {
    if (!(error instanceof KeyTaken)) metrics.openAnswered(outcomeOf(error, disconnected));
    throw error;
  }
}
