import { type Kysely, sql } from "kysely";
import type { NewToken, TokenStore } from "../../ports/token-store.ts";
import { toAccount } from "./account-row.ts";
import type { Tables, TokenRow } from "./schema.ts";

export function newTokenStore(db: Kysely<Tables>): TokenStore {
  // Built once, because every call uses it.
  const byHash = db
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.id", "tokens.account_id")
    .selectAll("accounts")
    .where("tokens.hash", "=", "")
    .compile();
  return {
    async add(accountId, token, limit) {
      return db.transaction().execute(async (trx) => {
        const { tokens } = await trx
          .selectFrom("tokens")
          .select((row) => row.fn.countAll<number>().as("tokens"))
          .where("account_id", "=", accountId)
          .executeTakeFirstOrThrow();
        if (tokens >= limit) return false;
        await trx.insertInto("tokens").values(toTokenRow(accountId, token)).execute();
        return true;
      });
    },

    async list(accountId) {
      const rows = await db
        .selectFrom("tokens")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(({ id, name, prefix, created_at, last_used_at }) => ({
        id,
        name,
        prefix,
        createdAt: new Date(created_at),
        lastUsedAt: last_used_at === null ? undefined : new Date(last_used_at),
      }));
    },

    async findAccount(hash) {
      const query: typeof byHash = { ...byHash, parameters: [hash] };
      const [row] = (await db.executeQuery(query)).rows;
      return row && toAccount(row);
    },

    async replaceAll(accountId, token) {
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom("tokens").where("account_id", "=", accountId).execute();
        await trx.insertInto("tokens").values(toTokenRow(accountId, token)).execute();
      });
    },

    async renew(accountId, tokenId, from, { hash, prefix }, at) {
      const { numUpdatedRows } = await db
        .updateTable("tokens")
        .set({ hash, prefix, created_at: at.toISOString(), last_used_at: null })
        .where("account_id", "=", accountId)
        .where("id", "=", tokenId)
        .where("prefix", "=", from)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async revoke(accountId, tokenId) {
      const { numDeletedRows } = await db
        .deleteFrom("tokens")
        .where("account_id", "=", accountId)
        .where("id", "=", tokenId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },

    async recordUses(uses) {
      await db.transaction().execute(async (trx) => {
        for (const [hash, date] of uses) {
          const at = date.toISOString();
          const isLater = sql<boolean>`coalesce(last_used_at, '') < ${at}`;
          await trx.updateTable("tokens").set({ last_used_at: at }).where("hash", "=", hash).where(isLater).execute();
        }
      });
    },
  };
}

export function toTokenRow(accountId: string, { id, name, hash, prefix, createdAt }: NewToken): TokenRow {
  return {
    hash,
    id,
    account_id: accountId,
    name,
    prefix,
    created_at: createdAt.toISOString(),
    last_used_at: null,
  };
}
