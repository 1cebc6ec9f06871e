import { type Kysely, sql } from "kysely";
import { readKey } from "../../../domain/browser/address.ts";
import type { SecretBox } from "../../../ports/secret-box.ts";
import type { EndedBrowser, UsageStore } from "../../../ports/store/usage-store.ts";
import { daysOf, sumOfMonth } from "./days.ts";
import type { Engine } from "../engine.ts";
import type { EndedBrowserRow, Tables } from "../schema.ts";
import { readTagText, toStorableMoment } from "../storable.ts";

export function newUsageStore(db: Kysely<Tables>, engine: Engine, box: Pick<SecretBox, "hashes">): UsageStore {
  const ended = (accountId: string) => db.selectFrom("ended_browsers").selectAll().where("account_id", "=", accountId);
  return {
    async month(accountId, period) {
      const load = await db
        .selectFrom("account_load")
        .select(["open", "opening"])
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      const { open: openBrowsers, opening: openingBrowsers } = load ?? { open: 0, opening: 0 };
      return { period, units: await sumOfMonth(db, accountId, period), openBrowsers, openingBrowsers };
    },

    async loads(accountIds) {
      const rows = await db
        .selectFrom("account_load")
        .select(["account_id", "version", "opening", "open"])
        .where("account_id", "in", [...accountIds])
        .execute();
      return new Map(rows.map((row) => [row.account_id, { version: row.version, browsers: row.opening + row.open }]));
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

    async ended(accountId, after, limit, { since, until, label, tag, endedBefore } = {}) {
      const rows = await ended(accountId)
        .$if(after !== undefined, (query) => query.where(isAfter("<", after)))
        .$if(endedBefore !== undefined, (query) => query.where("closed_at", "<", toStorableMoment(endedBefore)))
        .$if(since !== undefined, (query) => query.where("closed_at", ">=", toStorableMoment(since)))
        .$if(until !== undefined, (query) => query.where("opened_at", "<", toStorableMoment(until)))
        .$if(label !== undefined, (query) => query.where("label", "=", label ?? ""))
        .$if(tag !== undefined, (query) => query.where(engine.hasElement(sql.ref("tags"), tag ?? "")))
        .orderBy("closed_at", "desc")
        .orderBy("id", "desc")
        .limit(limit)
        .execute();
      return rows.map(toEnded);
    },

    async findEnded(accountId, selector) {
      const key = "id" in selector ? undefined : readKey(selector.address);
      if (!("id" in selector) && key === undefined) return undefined;
      const row = await ended(accountId)
        .$if("id" in selector, (query) => query.where("id", "=", "id" in selector ? selector.id : ""))
        .$if(key !== undefined, (query) => query.where("key_hash", "in", box.hashes(key ?? "")))
        .executeTakeFirst();
      return row && toEnded(row);
    },

    async endedBetween(accountId, { from, to }, after, limit) {
      const rows = await ended(accountId)
        .$if(after === undefined, (query) => query.where("closed_at", ">=", toStorableMoment(from)))
        .$if(after !== undefined, (query) => query.where(isAfter(">", after)))
        .where("closed_at", "<", toStorableMoment(to))
        .orderBy("closed_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toEnded);
    },

    async spans(accountId, from, to) {
      const closed = await db
        .selectFrom("ended_browsers")
        .select(engine.spans.as("spans"))
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
      const spans = engine.readSpans(closed.spans);
      const opened = new Float64Array(spans.opened.length + open.length);
      opened.set(spans.opened);
      opened.set(
        open.map(({ opened_at }) => Date.parse(opened_at)),
        spans.opened.length,
      );
      return { opened, ended: spans.ended };
    },
  };
}

/** Selects browsers that follow this one when ordered by `closed_at` and id. */
function isAfter(direction: "<" | ">", browser: { readonly closedAt: Date; readonly id: string } | undefined) {
  return sql<boolean>`(closed_at, id) ${sql.raw(direction)} (${toStorableMoment(browser?.closedAt)}, ${browser?.id ?? ""})`;
}

function toEnded(row: EndedBrowserRow): EndedBrowser {
  const { bytes_sent: sent, bytes_received: received } = row;
  return {
    id: row.id,
    kind: row.kind,
    isHeadless: row.headless === 1,
    label: row.label ?? undefined,
    tags: readTagText(row.tags),
    openedAt: new Date(row.opened_at),
    closedAt: new Date(row.closed_at),
    reason: row.reason,
    units: row.units,
    keepOpenMs: row.keep_open ?? undefined,
    traffic: sent === null || received === null ? undefined : { sent, received },
  };
}
