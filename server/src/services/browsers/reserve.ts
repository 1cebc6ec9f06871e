import type { UsageSnapshot } from "../../domain/account/entitlement.ts";
import { toPeriod } from "../../domain/account/units.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Metrics } from "../../ports/metrics.ts";
import type { BrowserStore, Reservation } from "../../ports/store.ts";
import { writeUntilDone } from "./write-until-done.ts";

type Needs = {
  readonly store: Pick<BrowserStore, "reserve" | "open" | "cancel">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "unitsCharged">;
};

/** A browser's place in the books. Disposing takes it back, unless it was committed; never throws. */
export interface Place extends AsyncDisposable {
  /** The browser is open: its first minute is charged. */
  commit(address: string, openedAt: Date): Promise<void>;
}

/** @param decide Throws when the account may not have one more; then nothing is held. */
export async function reserve(
  wanted: Omit<Reservation, "period">,
  decide: (standing: UsageSnapshot) => void,
  needs: Needs,
): Promise<Place> {
  const { store, metrics } = needs;
  const { browserId } = wanted;
  await store.reserve({ ...wanted, period: toPeriod(wanted.requestedAt) }, decide);
  let isCommitted = false;
  return {
    async commit(address, openedAt) {
      await store.open(browserId, address, { browserId, minute: 0, period: toPeriod(openedAt), startedAt: openedAt });
      isCommitted = true;
      metrics.unitsCharged(1);
    },
    async [Symbol.asyncDispose]() {
      if (isCommitted) return;
      await writeUntilDone(() => store.cancel(browserId), { event: "browser.cancel_failed", id: browserId }, needs);
    },
  };
}
