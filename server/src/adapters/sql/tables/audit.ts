import type { Kysely } from "kysely";
import type { Act, AuditStore } from "../../../ports/store/audit-store.ts";
import type { Tables } from "../schema.ts";

export function newAuditStore(db: Kysely<Tables>): AuditStore {
  return {
    async add({ at, details, ...act }) {
      const row = { ...act, at: at.toISOString(), details: JSON.stringify(details) };
      await db.insertInto("audit").values(row).execute();
    },

    async list({ subject, before, limit }) {
      const rows = await db
        .selectFrom("audit")
        .selectAll()
        .$if(subject !== undefined, (query) => query.where("subject", "=", subject ?? ""))
        .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
        .orderBy("id", "desc")
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .execute();
      return rows.map(({ at, details, ...act }) => ({
        ...act,
        at: new Date(at),
        details: JSON.parse(details) as Act["details"],
      }));
    },
  };
}
