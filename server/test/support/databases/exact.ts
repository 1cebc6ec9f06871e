import { expect } from "vitest";
import { ALL_BROWSERS } from "../browsers/stored-browser.ts";

export type Query = <Row>(sql: string) => Promise<Row[]>;

/**
 * Invariants of a PostgreSQL database while no transaction is writing. Each query returns the rows that violate its
 * invariant.
 */
const CONTRADICTIONS = {
  "each account's counter equals the number of its browsers": `
    select account_id from account_load l where
      opening <> (select count(*) from browsers b where b.account_id = l.account_id and state = 'opening')
      or open <> (select count(*) from browsers b where b.account_id = l.account_id and state = 'open')`,
  "an account's units equal the sum of its daily units in its latest month": `
    select account_id from account_load l where units <> coalesce((select sum(units) from daily_usage d
      where d.account_id = l.account_id and left(day, 7) = l.period), 0)`,
  "each day's units equal its charged minutes": `
    select account_id from (select account_id, sum(units) as units from daily_usage group by 1) d
      full join (select account_id, sum(charged) as units from ${ALL_BROWSERS} group by 1) b using (account_id)
      where coalesce(d.units, 0) <> coalesce(b.units, 0)`,
  "an ended browser's ledger rows equal its charged minutes": `
    select id from ended_browsers e
      where units <> (select coalesce(sum(units), 0) from ledger where browser_id = e.id)`,
  "the ledger contains only ended browsers": `
    select browser_id from ledger where not exists (select from ended_browsers where id = browser_id)`,
};

/** Returns the rows that violate an invariant, by invariant; empty if there are none. */
export async function findContradictions(query: Query): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const [rule, sql] of Object.entries(CONTRADICTIONS)) {
    const rows = await query(sql);
    if (rows.length > 0) found[rule] = rows;
  }
  return found;
}

export async function expectExact(query: Query): Promise<void> {
  expect(await findContradictions(query)).toEqual({});
}
