import { waitUpTo } from "../../concurrency/abortable.ts";
import type { Account } from "../../domain/account/account.ts";
import { Failure, isFailure } from "../../domain/failure.ts";
import { type Terms, isAdmitted, toAdmissionFailure } from "../../domain/plan/entitlement.ts";
import { toPeriod } from "../../domain/plan/units.ts";
import type { AccountStore } from "../../ports/store/account-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type BrowserStore, type Reservation, StoreUnavailable } from "../../ports/store/store.ts";
import { STORE_WAIT_MS, waitForStore } from "../store/store-wait.ts";
import { orStoreFailure, storeFailure } from "../store/store-failure.ts";
import type { Outbox } from "../store/outbox.ts";

/** The number of account changes tolerated during a reservation. */
const MAX_CHANGES = 3;

export type ReserveNeeds = {
  readonly store: Pick<BrowserStore, "reserve" | "commitOpen" | "cancel">;
  readonly accounts: Pick<AccountStore, "find" | "outdate">;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** A reservation. Disposing cancels the reservation unless it was committed, and never throws. */
export interface HeldReservation extends AsyncDisposable {
  /** The account as admitted, which may have changed since the request began. */
  readonly account: Account;
  /** Records that the browser is open, and charges its first minute. */
  commit(address: string, openedAt: Date): Promise<void>;
}

/** A reservation that another process may commit. */
export interface TransferableReservation extends HeldReservation {
  /** Reports that the other process has opened the browser. Disposing then has no effect. */
  release(): void;
}

type Wanted = Omit<Reservation, "accountId" | "version" | "period">;

/**
 * Reserves a browser and a unit for the account in the store.
 * @param toTerms Returns the terms of the account's current version.
 * @throws {Failure} `AuthorizationError`, `NoUnits` or `BrowserLimit` if the account can't have another browser;
 * `BrowserUnavailable` if the store can't write. Failures leave the store unchanged.
 */
export async function reserve(
  wanted: Wanted,
  account: Account,
  toTerms: (account: Account) => Terms,
  needs: ReserveNeeds,
): Promise<TransferableReservation> {
  const { store, accounts, outbox, clock, metrics } = needs;
  const { browserId } = wanted;
  const accountId = account.id;
  const about = { event: "browser.cancel_failed", id: browserId, accountId };
  const cancel = (): Promise<void> => outbox.write(() => store.cancel(browserId), about);
  const undo = async (): Promise<void> => {
    // The database may not have executed the reservation yet. If it hasn't, this makes it refuse.
    await accounts.outdate(accountId);
    await store.cancel(browserId);
  };
  const admit = async (signal: AbortSignal): Promise<Account> => {
    const attempt = (): Promise<Account> => reserveOnce(wanted, account, toTerms, needs, signal);
    return attempt().catch(async (error: unknown) => {
      // Browsers whose end couldn't be written still count as open.
      if (!isOfLimits(error) || !outbox.hasAny(accountId)) throw error;
      await outbox.flush();
      return attempt().catch((again: unknown) => {
        throw isOfLimits(again) && outbox.hasAny(accountId) ? storeFailure(again) : again;
      });
    });
  };
  const admitted = await orStoreFailure(waitForStore(clock, admit)).catch((error: unknown) => {
    if (isOutcomeUnknown(error)) void outbox.write(undo, about);
    throw error;
  });
  let isCommitted = false;
  let isCommitting = false;
  return {
    account: admitted,
    async commit(address, openedAt) {
      isCommitting = true;
      const units = await orStoreFailure(waitForStore(clock, () => store.commitOpen(browserId, address, openedAt)));
      isCommitted = true;
      metrics.unitsCharged(units);
    },
    release: () => void (isCommitted = true),
    async [Symbol.asyncDispose]() {
      if (isCommitted) return;
      const cancelled = cancel();
      // Unless the commit failed, wait briefly for the cancellation so that an immediate retry isn't refused.
      if (!isCommitting) await waitUpTo(STORE_WAIT_MS, clock, cancelled);
    },
  };
}

/**
 * Returns another process's reservation for a browser that this process opens.
 * @param giveUp Deletes the reservation.
 * @param commitOpen Records that the browser is open, and returns the units of its first minute.
 */
export function toPlacedReservation(
  account: Account,
  giveUp: () => Promise<void>,
  commitOpen: (address: string, openedAt: Date) => Promise<number>,
  { clock, metrics }: Pick<ReserveNeeds, "clock" | "metrics">,
): HeldReservation {
  let isCommitted = false;
  return {
    account,
    async commit(address, openedAt) {
      const units = await orStoreFailure(waitForStore(clock, () => commitOpen(address, openedAt)));
      isCommitted = true;
      metrics.unitsCharged(units);
    },
    async [Symbol.asyncDispose]() {
      if (!isCommitted) await giveUp();
    },
  };
}

/** @returns The account, as admitted. */
async function reserveOnce(
  wanted: Wanted,
  given: Account,
  toTerms: (account: Account) => Terms,
  { store, accounts }: Pick<ReserveNeeds, "store" | "accounts">,
  signal: AbortSignal,
): Promise<Account> {
  let account = given;
  for (let changes = 0; ; changes += 1) {
    signal.throwIfAborted();
    const terms = toTerms(account);
    const { id: accountId, version } = account;
    const reservation = { ...wanted, accountId, version, period: toPeriod(wanted.requestedAt) };
    const refusal = await store.reserve(reservation, terms);
    if (refusal === undefined) return account;
    const current = refusal.isOutdated && changes < MAX_CHANGES ? await accounts.find(accountId) : undefined;
    if (current === undefined) {
      // The account is changing faster than its limits can be read.
      if (refusal.isOutdated && isAdmitted(terms, refusal.standing)) throw storeFailure(undefined);
      throw toAdmissionFailure(terms, refusal.standing);
    }
    account = current;
  }
}

/** Whether the store may have reserved the browser although the call failed. */
function isOutcomeUnknown(error: unknown): boolean {
  const cause = error instanceof Failure ? error.cause : undefined;
  return cause instanceof StoreUnavailable && cause.isOutcomeUnknown;
}

function isOfLimits(error: unknown): boolean {
  return isFailure(error, "BrowserLimit", "NoUnits");
}
