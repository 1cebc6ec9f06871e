import { type Kysely, sql } from "kysely";
import type { QueryStore } from "../../ports/store/query-store.ts";
import type { Tables } from "./schema.ts";

export function newQueryStore(db: Kysely<Tables>): QueryStore {
  return {
    async addTokens(accountId, day, tokens) {
      await db.transaction().execute(async (trx) => {
        await trx.deleteFrom("query_tokens").where("day", "<", day).execute();
        await trx
          .insertInto("query_tokens")
          .values({ day, account_id: accountId, tokens })
          .onConflict((conflict) =>
            conflict.columns(["day", "account_id"]).doUpdateSet({ tokens: sql`query_tokens.tokens + excluded.tokens` }),
          )
          .execute();
      });
    },

    async sumTokens(accountId, day) {
      const rows = await db.selectFrom("query_tokens").selectAll().where("day", "=", day).execute();
      const sum = (counted: typeof rows): number => counted.reduce((total, { tokens }) => total + tokens, 0);
      return { own: sum(rows.filter((row) => row.account_id === accountId)), all: sum(rows) };
    },
  };
}
