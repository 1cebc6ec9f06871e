import { type Kysely, sql } from "kysely";
import type { EndedBrowser, UsageStore } from "../../ports/usage-store.ts";
import { daysOf, sumOfMonth } from "./days.ts";
import type { EndedBrowserRow, Tables } from "./schema.ts";
import { readSpans } from "./spans.ts";

export function newUsageStore(db: Kysely<Tables>): UsageStore {
  const ended = (accountId: string) => db.selectFrom("ended_browsers").selectAll().where("account_id", "=", accountId);
  return {
    async month(accountId, period) {
      const load = await db
        .selectFrom("account_load")
        .select("open")
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return { period, units: await sumOfMonth(db, accountId, period), openBrowsers: load?.open ?? 0 };
    },

    async days(accountId, period) {
      const [first, past] = daysOf(period);
      return db
        .selectFrom("daily_usage")
        .select(["day", "units"])
        .where("account_id", "=", accountId)
        .where("day", ">=", first)
        .where("day", "<", past)
        .orderBy("day")
        .execute();
    },

    async ended(accountId, after, limit) {
      const rows = await ended(accountId)
        .$if(after !== undefined, (query) => query.where(isAfter("<", after)))
        .orderBy("closed_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toEnded);
    },

    async endedBetween(accountId, { from, to }, after, limit) {
      const rows = await ended(accountId)
        .$if(after === undefined, (query) => query.where("closed_at", ">=", from.toISOString()))
        .$if(after !== undefined, (query) => query.where(isAfter(">", after)))
        .where("closed_at", "<", to.toISOString())
        .orderBy("closed_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toEnded);
    },

    async spans(accountId, from, to) {
      const closed = await db
        .selectFrom("ended_browsers")
        .select(sql<string | null>`string_agg(opened_at || closed_at, '')`.as("spans"))
        .where("account_id", "=", accountId)
        .where("closed_at", ">", from.toISOString())
        .where("opened_at", "<", to.toISOString())
        .executeTakeFirstOrThrow();
      const open = await db
        .selectFrom("browsers")
        .select("opened_at")
        .where("account_id", "=", accountId)
        .where("opened_at", "<", to.toISOString())
        .$narrowType<{ opened_at: string }>()
        .execute();
      return [
        ...readSpans(closed.spans ?? ""),
        ...open.map(({ opened_at }) => ({ from: Date.parse(opened_at), to: undefined })),
      ];
    },
  };
}

/** Only browsers after this one in the order of `closed_at`, and of ids where that is equal. */
function isAfter(direction: "<" | ">", browser: { readonly closedAt: Date; readonly id: string } | undefined) {
  const at = browser?.closedAt.toISOString() ?? "";
  return sql<boolean>`(closed_at, id) ${sql.raw(direction)} (${at}, ${browser?.id ?? ""})`;
}

function toEnded(row: EndedBrowserRow): EndedBrowser {
  return {
    id: row.id,
    kind: row.kind,
    label: row.label ?? undefined,
    openedAt: new Date(row.opened_at),
    closedAt: new Date(row.closed_at),
    reason: row.reason,
    units: row.units,
  };
}
