import { Failure, isFailure } from "../../domain/failure.ts";
import { type Terms, toRefusal } from "../../domain/account/entitlement.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type BrowserStore, type Reservation, StoreUnavailable } from "../../ports/store.ts";
import type { Outbox } from "./outbox.ts";

/** A database that another process has locked, or a disk that fails, is worth another try soon. */
const RETRY_AFTER_S = 5;

type Needs = {
  readonly store: Pick<BrowserStore, "reserve" | "open" | "cancel">;
  readonly outbox: Outbox;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** Disposing cancels the reservation unless it was committed; never throws. */
interface HeldReservation extends AsyncDisposable {
  /** Records that the browser is open, and charges its first minute. */
  commit(address: string, openedAt: Date): Promise<void>;
}

/**
 * Reserves one of the account's browsers and a unit in the store.
 * @throws {Failure} `AuthorizationError`, `NoUnits` or `BrowserLimit` if the account may not have another browser;
 *   `BrowserUnavailable` if the store can't write now. In both cases the store stays unchanged.
 */
export async function reserve(
  reservation: Omit<Reservation, "period">,
  terms: Terms,
  needs: Needs,
): Promise<HeldReservation> {
  const { store, outbox, metrics } = needs;
  const { browserId, accountId } = reservation;
  const attempt = async (): Promise<void> => {
    const period = toPeriod(reservation.requestedAt);
    const standing = await orRefused(store.reserve({ ...reservation, period }, terms));
    if (standing !== undefined) throw toRefusal(terms, standing);
  };
  await attempt().catch(async (error: unknown) => {
    // Browsers whose end could not be written still count as open.
    if (!isOfLimits(error) || !outbox.hasAny(accountId)) throw error;
    await outbox.flush();
    await attempt().catch((again: unknown) => {
      throw isOfLimits(again) && outbox.hasAny(accountId) ? unavailable(again) : again;
    });
  });
  let isCommitted = false;
  return {
    async commit(address, openedAt) {
      await orRefused(store.open(browserId, address, openedAt));
      isCommitted = true;
      metrics.unitsCharged(1);
    },
    async [Symbol.asyncDispose]() {
      if (isCommitted) return;
      await outbox.write(() => store.cancel(browserId), { event: "browser.cancel_failed", id: browserId, accountId });
    },
  };
}

function isOfLimits(error: unknown): boolean {
  return isFailure(error, "BrowserLimit", "NoUnits");
}

/** @throws {Failure} `BrowserUnavailable` with `Retry-After` if the store can't write now. */
async function orRefused<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (cause) {
    throw cause instanceof StoreUnavailable ? unavailable(cause) : cause;
  }
}

function unavailable(cause: unknown): Failure {
  return new Failure(
    "BrowserUnavailable",
    `The server can't record a browser at this moment: its database doesn't answer. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}
