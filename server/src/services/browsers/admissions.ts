import { type Account, toSubscription } from "../../domain/account/account.ts";
import { toTerms } from "../../domain/account/entitlement.ts";
import type { Plans } from "../../domain/account/plan.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import { type Failure, isFailure } from "../../domain/failure.ts";
import type { Place } from "../../ports/fleet-store.ts";
import type { Idempotency } from "../../ports/store.ts";
import type { OpenTime } from "./open-time.ts";
import type { Attempt, PlaceQueue } from "./place-queue.ts";
import { type TransferableReservation, type ReserveNeeds, reserve } from "./reserve.ts";

export type AdmissionNeeds = ReserveNeeds & {
  readonly plans: Plans;
  /** Its limit is that of accounts without one of their own. */
  readonly capacity: { readonly limit: number };
  /** Open requests that wait for a place of their account. */
  readonly queue: PlaceQueue;
  /** Why no browsers are opened now; undefined: they are. */
  readonly findRefusal: () => Failure | undefined;
};

type Wanted = {
  readonly browserId: string;
  readonly account: Account;
  readonly options: OpenOptions;
  readonly idempotency: Idempotency | undefined;
  /** Chooses the process that opens the browser; undefined: this one. */
  readonly choosePlace?: () => Place | undefined;
};

/**
 * Reserves one of the account's browsers, behind the requests that wait for one.
 * @throws {Failure} `NoSubscription`, `NoUnits`, `BrowserLimit` or `BrowserUnavailable`.
 * @throws {KeyTaken} If the Idempotency-Key belongs to another browser.
 */
export async function admit(
  { browserId, account, options, idempotency, choosePlace }: Wanted,
  time: OpenTime,
  signal: AbortSignal,
  needs: AdmissionNeeds,
): Promise<TransferableReservation> {
  const { queue, plans, capacity, clock, findRefusal } = needs;
  const attempt: Attempt<TransferableReservation> = async (onOffer) => {
    const refusal = findRefusal();
    if (refusal !== undefined) throw refusal;
    return await reserve(
      { ...options, browserId, requestedAt: clock.now(), idempotency, place: choosePlace?.() },
      account,
      (one) => {
        const terms = toTerms(toSubscription(one, plans), one.hasAdditionalUnits, capacity.limit);
        onOffer({ version: one.version, parallel: terms.parallel });
        return terms;
      },
      needs,
    );
  };
  if (!time.canWait) return await attempt(() => {});
  const admitted = queue.has(account.id) ? undefined : await orFull(attempt(() => {}));
  return admitted ?? (await time.wait((maxMs) => queue.admit(account.id, attempt, maxMs, signal)));
}

/** @returns Undefined if the account has reached its limit. A request that waits doesn't keep the failure, whose stack is large. */
async function orFull<T>(admitting: Promise<T>): Promise<T | undefined> {
  try {
    return await admitting;
  } catch (error) {
    if (isFailure(error, "BrowserLimit")) return undefined;
    throw error;
  }
}
