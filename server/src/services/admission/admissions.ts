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
  /** Its limit applies to accounts without one of their own. */
  readonly capacity: { readonly limit: number };
  /** Open requests that wait for a place of their account. */
  readonly queue: LimitQueue;
  /** Why no browsers are opened now; undefined if they are opened. */
  readonly findRefusal: () => Failure | undefined;
};

/** How often a request with a key that waits looks whether another server opens its browser. */
const KEY_CHECK_MS = 1000;

type Wanted = {
  readonly browserId: string;
  readonly account: Account;
  readonly options: OpenOptions;
  readonly idempotency: Idempotency | undefined;
  /** Chooses the process that opens the browser; undefined: this one. */
  readonly chooseWorker?: () => WorkerInstance | undefined;
};

/**
 * Reserves one of the account's browsers, behind the requests that wait for one.
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
  /** Another server may be opening the browser of this key in the account's last place. */
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
 * Looks regularly whether another server has begun to open the browser of a key: no place becomes free then. Disposing
 * stops it.
 */
function watchKey(
  check: () => Promise<void>,
  clock: Pick<Clock, "after">,
): Disposable & { readonly taken: AbortSignal } {
  const taken = new AbortController();
  const looks = repeat(KEY_CHECK_MS, clock, () =>
    check().catch((error: unknown) => {
      // If the store doesn't answer, the next look comes soon.
      if (error instanceof KeyTaken) taken.abort(error);
    }),
  );
  return { ...looks, taken: taken.signal };
}

/**
 * @returns Undefined if the account has reached its limit. A request that waits doesn't keep the failure, whose stack
 * is large.
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
 * Counts how an Open was answered. One whose Idempotency-Key belongs to another browser isn't: it is answered with that
 * browser.
 * @param disconnected Aborted when the caller has left.
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
