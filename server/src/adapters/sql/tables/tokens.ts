import { type Kysely, sql } from "kysely";
import type { NewToken, TokenStore } from "../../../ports/store/token-store.ts";
import { toAccount } from "./account-row.ts";
import type { Engine } from "../engine.ts";
import { NAMED } from "../named.ts";
import type { Tables, TokenRow } from "../schema.ts";

export function newTokenStore(db: Kysely<Tables>, engine: Engine): TokenStore {
  // Built once, because every call uses this query.
  const byHash = db
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.id", "tokens.account_id")
    .modifyFront(NAMED)
    .selectAll("accounts")
    .where("tokens.hash", "=", "")
    .compile();
  return {
    async add(accountId, token, limit) {
      return db.transaction().execute(async (trx) => {
        // Serializes additions, so that each addition counts tokens added by earlier ones.
        await engine.lockRows(trx.selectFrom("accounts").select("id").where("id", "=", accountId)).execute();
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
      const due = engine.toPairs([...uses].map(([hash, date]) => [hash, date.toISOString()]));
      await db.transaction().execute(async (trx) => {
        // All servers lock rows in the same order, which prevents deadlocks.
        const used = trx
          .selectFrom("tokens")
          .select("hash")
          .where("hash", "in", engine.toIdList([...uses.keys()]));
        await engine.lockRows(used.orderBy("hash")).execute();
        await sql`update tokens set last_used_at = due.value from ${due} as due
          where tokens.hash = due.key and coalesce(tokens.last_used_at, '') < due.value`.execute(trx);
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
