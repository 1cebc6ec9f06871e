import type { Selectable } from "kysely";
import type { Standing } from "../../domain/account/entitlement.ts";
import type { AccountLoadRow } from "./schema.ts";

/** What an account has. @param load Undefined if there is no such account. */
export function toStanding(load: Selectable<AccountLoadRow> | undefined, period: string): Standing {
  if (load === undefined) return { isBarred: true, browsers: 0, units: 0 };
  const { barred, opening, open, units } = load;
  return {
    isBarred: barred === 1,
    browsers: opening + open,
    // A clock that was set back still counts the units of the later month.
    units: opening + (load.period >= period ? units : 0),
  };
}
