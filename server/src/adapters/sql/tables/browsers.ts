import type { Kysely } from "kysely";
import type { SecretBox } from "../../../ports/secret-box.ts";
import type { BrowserStore } from "../../../ports/store/store.ts";
import type { Tables } from "../schema.ts";
import { toTagText } from "../storable.ts";

type Shared = Pick<BrowserStore, "rename" | "findKeyed" | "freeKeys">;

/** Returns the methods that are the same on every engine. */
export function newSharedBrowserStore(db: Kysely<Tables>, box: SecretBox): Shared {
  return {
    async rename(browserId, { label, tags }) {
      const names = { label: label ?? null, tags: toTagText(tags) };
      await db.updateTable("browsers").set(names).where("id", "=", browserId).execute();
    },

    async findKeyed(accountId, keys) {
      const row = await db
        .selectFrom("keyed_browsers as keyed")
        .leftJoin("browsers", "browsers.id", "keyed.browser_id")
        .select(["keyed.browser_id", "keyed.options", "keyed.ended_at", "keyed.address as last", "browsers.address"])
        .where("keyed.account_id", "=", accountId)
        .where("keyed.key", "in", keys)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { browser_id: browserId, options, ended_at, last, address } = row;
      const sealed = address ?? last;
      return {
        browserId,
        options,
        address: sealed === null ? undefined : box.unseal(sealed, browserId),
        endedAt: ended_at === null ? undefined : new Date(ended_at),
      };
    },

    async freeKeys(endedBefore, limit) {
      const ended = db
        .selectFrom("keyed_browsers")
        .select("browser_id")
        .where("ended_at", "<", endedBefore.toISOString())
        .orderBy("ended_at")
        .limit(limit);
      const { numDeletedRows } = await db
        .deleteFrom("keyed_browsers")
        .where("browser_id", "in", ended)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
