import type { Kysely } from "kysely";
import type { Tables } from "../schema.ts";

/** Returns the first day of a month, and a string that sorts after the month's last day. @param period `2026-11`. */
export function daysOf(period: string): readonly [first: string, past: string] {
  return [`${period}-01`, `${period}-32`];
}

export async function sumOfMonth(db: Kysely<Tables>, accountId: string, period: string): Promise<number> {
  const [first, past] = daysOf(period);
  const { units } = await db
    .selectFrom("daily_usage")
    .select(({ fn }) => fn.sum<number | null>("units").as("units"))
    .where("account_id", "=", accountId)
    .where("day", ">=", first)
    .where("day", "<", past)
    .executeTakeFirstOrThrow();
  return units ?? 0;
}
