import type { Terms } from "../../../src/domain/plan/entitlement.ts";
import { toPeriod } from "../../../src/domain/plan/units.ts";
import type { BrowserStore, Idempotency } from "../../../src/ports/store/store.ts";

/** Terms that allow any number of browsers. */
export const UNLIMITED: Terms = { parallel: Infinity, units: undefined };

/** SQL: all browsers as one table. */
export const ALL_BROWSERS = `(
  select id, account_id, label, state, opened_at, null as closed_at, null as reason, charged from browsers
  union all select id, account_id, label, 'closed', cast(opened_at as text), closed_at, reason, units from ended_browsers)
  as browsers`;

type Facts = {
  readonly id: string;
  readonly accountId: string;
  readonly openedAt: Date;
  readonly label?: string;
  readonly idempotency?: Idempotency;
};

/** Adds an open browser whose first minute has been charged. */
export async function addOpenBrowser(
  browsers: BrowserStore,
  { id, accountId, openedAt, label, idempotency }: Facts,
): Promise<void> {
  const period = toPeriod(openedAt);
  const reservation = {
    browserId: id,
    accountId,
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label,
    idempotency,
    requestedAt: openedAt,
    period,
  } as const;
  await browsers.reserve(reservation, UNLIMITED);
  await browsers.commitOpen(id, `ws://${id}`, openedAt);
}
