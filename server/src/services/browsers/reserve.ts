import { Failure } from "../../domain/failure.ts";
import type { UsageSnapshot } from "../../domain/account/entitlement.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import { type BrowserStore, type Reservation, StoreUnavailable } from "../../ports/store.ts";
import { writeUntilDone } from "./write-until-done.ts";

/** A database that another process has locked, or a disk that fails, is worth another try soon. */
const RETRY_AFTER_S = 5;

type Needs = {
  readonly store: Pick<BrowserStore, "reserve" | "open" | "cancel">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** Disposing cancels the reservation unless it was committed; never throws. */
interface HeldReservation extends AsyncDisposable {
  /** Records that the browser is open, and charges its first minute. */
  commit(address: string, openedAt: Date): Promise<void>;
}

/**
 * Reserves one of the account's browsers and a unit in the store.
 * @param decide Throws if the account may not have another browser. In that case the store stays unchanged.
 */
export async function reserve(
  reservation: Omit<Reservation, "period">,
  decide: (usage: UsageSnapshot) => void,
  needs: Needs,
): Promise<HeldReservation> {
  const { store, metrics } = needs;
  const { browserId } = reservation;
  await orRefused(store.reserve({ ...reservation, period: toPeriod(reservation.requestedAt) }, decide));
  let isCommitted = false;
  return {
    async commit(address, openedAt) {
      const first = { browserId, minute: 0, period: toPeriod(openedAt), startedAt: openedAt };
      await orRefused(store.open(browserId, address, first));
      isCommitted = true;
      metrics.unitsCharged(1);
    },
    async [Symbol.asyncDispose]() {
      if (isCommitted) return;
      await writeUntilDone(() => store.cancel(browserId), { event: "browser.cancel_failed", id: browserId }, needs);
    },
  };
}

/** @throws {Failure} `BrowserUnavailable` with `Retry-After` if the store can't write now. */
async function orRefused(writing: Promise<void>): Promise<void> {
  try {
    await writing;
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable)) throw cause;
    throw new Failure(
      "BrowserUnavailable",
      `The server can't record a browser at this moment: its database doesn't answer. Try again in ${RETRY_AFTER_S} s.`,
      { retryAfterS: RETRY_AFTER_S, cause },
    );
  }
}
