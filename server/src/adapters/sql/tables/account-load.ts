import type { Kysely } from "kysely";
import { RESERVED_UNITS } from "../../../domain/plan/price.ts";
import type { Refusal, Reservation } from "../../../ports/store/store.ts";
import { sumOfMonth } from "./days.ts";
import type { Tables } from "../schema.ts";

/** Reads the data that decides whether an account may reserve a browser. A nonexistent account counts as barred. */
export async function readLoad(
  db: Kysely<Tables>,
  { accountId, version, period }: Pick<Reservation, "accountId" | "version" | "period">,
): Promise<Refusal> {
  const load = await db.selectFrom("account_load").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  if (load === undefined) return { standing: { isBarred: true, browsers: 0, units: 0 }, isOutdated: false };
  const ofMonth = load.period === period ? load.units : 0;
  // If a server's clock was ahead, the row contains units for a later month.
  const units = load.period > period ? await sumOfMonth(db, accountId, period) : ofMonth;
  const standing = {
    isBarred: load.barred === 1,
    browsers: load.opening + load.open,
    units: load.opening * RESERVED_UNITS + units,
  };
  return { standing, isOutdated: load.version !== version };
}
