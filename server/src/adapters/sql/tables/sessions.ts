import type { Kysely } from "kysely";
import type { SessionStore } from "../../../ports/store/session-store.ts";
import { toAccount } from "./account-row.ts";
import type { Engine } from "../engine.ts";
import type { Tables } from "../schema.ts";

export function newSessionStore(db: Kysely<Tables>, engine: Engine): SessionStore {
  return {
    async add({ hash, accountId, createdAt, expiresAt }) {
      const created_at = createdAt.toISOString();
      await db.transaction().execute(async (trx) => {
        const expired = trx.selectFrom("sessions").select("hash").where("expires_at", "<=", created_at);
        await trx.deleteFrom("sessions").where("hash", "in", engine.lockRows(expired, true)).execute();
        const expires_at = expiresAt.toISOString();
        await trx.insertInto("sessions").values({ hash, account_id: accountId, created_at, expires_at }).execute();
      });
    },

    async find(hash, now) {
      const row = await db
        .selectFrom("sessions")
        .innerJoin("accounts", "accounts.id", "sessions.account_id")
        .selectAll("accounts")
        .select(["sessions.created_at as began_at", "sessions.expires_at"])
        .where("sessions.hash", "=", hash)
        .where("sessions.expires_at", ">", now.toISOString())
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const account = toAccount(row);
      const [createdAt, expiresAt] = [new Date(row.began_at), new Date(row.expires_at)];
      return { session: { hash, accountId: account.id, createdAt, expiresAt }, account };
    },

    async extend(hash, expiresAt) {
      await db.updateTable("sessions").set({ expires_at: expiresAt.toISOString() }).where("hash", "=", hash).execute();
    },

    async remove(hash) {
      await db.deleteFrom("sessions").where("hash", "=", hash).execute();
    },

    async removeAll(accountId, except = "") {
      await db.deleteFrom("sessions").where("account_id", "=", accountId).where("hash", "!=", except).execute();
    },
  };
}
