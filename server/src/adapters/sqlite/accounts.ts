import type { Kysely, Selectable } from "kysely";
import type { Account } from "../../domain/account.ts";
import { type AccountChange, type AccountStore, EmailTaken } from "../../ports/store.ts";
import type { AccountRow, Tables } from "./schema.ts";

export function sqlAccounts(db: Kysely<Tables>): AccountStore {
  // Every call asks this, so it is built once.
  const byToken = db
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.id", "tokens.account_id")
    .selectAll("accounts")
    .where("tokens.hash", "=", "")
    .where("tokens.revoked_at", "is", null)
    .compile();
  return {
    async create(account, token) {
      await db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("accounts")
          .values(toRow(account))
          .onConflict((conflict) => conflict.column("email_key").doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) throw new EmailTaken(account.email);
        await trx
          .insertInto("tokens")
          .values({ ...token, account_id: account.id, created_at: account.createdAt.toISOString(), revoked_at: null })
          .execute();
      });
    },

    async list() {
      const rows = await db.selectFrom("accounts").selectAll().orderBy("created_at").orderBy("email_key").execute();
      return rows.map(toAccount);
    },

    async findByEmail(email) {
      const row = await db
        .selectFrom("accounts")
        .selectAll()
        .where("email_key", "=", email.toLowerCase())
        .executeTakeFirst();
      return row && toAccount(row);
    },

    async findByToken(hash) {
      const query: typeof byToken = { ...byToken, parameters: [hash] };
      const [row] = (await db.executeQuery(query)).rows;
      return row && toAccount(row);
    },

    async change(accountId, change) {
      const columns = toColumns(change);
      if (Object.keys(columns).length === 0) return;
      await db.updateTable("accounts").set(columns).where("id", "=", accountId).execute();
    },

    async replaceToken(accountId, token, at) {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable("tokens")
          .set({ revoked_at: at.toISOString() })
          .where("account_id", "=", accountId)
          .where("revoked_at", "is", null)
          .execute();
        await trx
          .insertInto("tokens")
          .values({ ...token, account_id: accountId, created_at: at.toISOString(), revoked_at: null })
          .execute();
      });
    },

    async usage(accountId, period) {
      const used = await db
        .selectFrom("usage")
        .select("units")
        .where("account_id", "=", accountId)
        .where("period", "=", period)
        .executeTakeFirst();
      const { open } = await db
        .selectFrom("browsers")
        .select(({ fn }) => fn.countAll<number>().as("open"))
        .where("state", "=", "open")
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      return { period, units: used?.units ?? 0, openBrowsers: open };
    },
  };
}

function toRow(account: Account): AccountRow {
  return {
    id: account.id,
    email: account.email,
    email_key: account.email.toLowerCase(),
    plan: account.plan ?? null,
    parallel: account.parallel ?? null,
    units: account.units ?? null,
    additional_units: Number(account.hasAdditionalUnits),
    disabled: Number(account.isDisabled),
    created_at: account.createdAt.toISOString(),
  };
}

function toAccount(row: Selectable<AccountRow>): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan ?? undefined,
    parallel: row.parallel ?? undefined,
    units: row.units ?? undefined,
    hasAdditionalUnits: row.additional_units === 1,
    isDisabled: row.disabled === 1,
    createdAt: new Date(row.created_at),
  };
}

function toColumns(change: AccountChange): Partial<AccountRow> {
  const { hasAdditionalUnits, isDisabled, ...same } = change;
  return {
    ...same,
    ...(hasAdditionalUnits === undefined ? {} : { additional_units: Number(hasAdditionalUnits) }),
    ...(isDisabled === undefined ? {} : { disabled: Number(isDisabled) }),
  };
}
