import type { Kysely, Selectable } from "kysely";
import type { Standing } from "../../../domain/plan/entitlement.ts";
import { RESERVED_UNITS } from "../../../domain/plan/price.ts";
import { sumOfMonth } from "./days.ts";
import type { AccountLoadRow, Tables } from "../schema.ts";

/**
 * What an account has.
 * @param load Undefined if there is no such account.
 * @param period The month that counts.
 */
export async function readStanding(
  db: Kysely<Tables>,
  load: Selectable<AccountLoadRow> | undefined,
  period: string,
): Promise<Standing> {
  if (load === undefined) return { isBarred: true, browsers: 0, units: 0 };
  const { barred, opening, open } = load;
  return {
    isBarred: barred === 1,
    browsers: opening + open,
    units: opening * RESERVED_UNITS + (await readUnits(db, load, period)),
  };
}

/** A clock that was ahead has left a later month, whose units are not this month's. */
async function readUnits(db: Kysely<Tables>, load: Selectable<AccountLoadRow>, period: string): Promise<number> {
  if (load.period > period) return sumOfMonth(db, load.account_id, period);
  return load.period === period ? load.units : 0;
}
