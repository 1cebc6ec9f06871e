import { type Kysely, type Transaction, sql } from "kysely";
import { type AccountChange, type AccountStore, EmailTaken } from "../../ports/account-store.ts";
import { toAccount, toIdList, toRow } from "./account-row.ts";
import type { AccountRow, Tables } from "./schema.ts";
import { toTokenRow } from "./tokens.ts";

export function newAccountStore(db: Kysely<Tables>): Omit<AccountStore, "all" | "page" | "emails"> {
  const existing = () => db.selectFrom("accounts").where("erased_at", "is", null);
  const secretOf = async (accountId: string, column: "password" | "provider_key"): Promise<string | undefined> => {
    const row = await existing().select(column).where("id", "=", accountId).executeTakeFirst();
    return row?.[column] ?? undefined;
  };
  const set = async (accountId: string, columns: Partial<AccountRow>): Promise<void> => {
    await db.updateTable("accounts").set(columns).where("id", "=", accountId).where("erased_at", "is", null).execute();
  };
  /** Other operators who can sign in. */
  const otherOperators = (accountId: string) =>
    db
      .selectFrom("accounts as other")
      .select("other.id")
      .where("other.id", "!=", accountId)
      // A literal, so that SQLite uses the index of operators.
      .where("other.operator", "=", sql.lit(1))
      .where("other.disabled", "=", 0)
      .where("other.password", "is not", null);
  /** @param needed The account changes only if this finds something. @returns Whether it changed. */
  const changeRow = (
    accountId: string,
    change: AccountChange,
    needed?: ReturnType<typeof otherOperators>,
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("accounts")
        .set(toColumns(change))
        .where("id", "=", accountId)
        .where("erased_at", "is", null)
        .$if(needed !== undefined, (query) => query.where(({ exists }) => exists(needed ?? sql.lit(false))))
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      if (change.isDisabled !== undefined) await setBarred(trx, accountId, change.isDisabled);
      return true;
    });
  return {
    async create(account, { passwordHash, token }) {
      await db.transaction().execute(async (trx) => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto("accounts")
          .values({ ...toRow(account), password: passwordHash ?? null })
          .onConflict((conflict) => conflict.column("email_key").doNothing())
          .executeTakeFirstOrThrow();
        if (numInsertedOrUpdatedRows === 0n) throw new EmailTaken(account.email);
        const none = { opening: 0, open: 0, period: "", units: 0 };
        await trx
          .insertInto("account_load")
          .values({ account_id: account.id, barred: Number(account.isDisabled), ...none })
          .execute();
        if (token !== undefined) await trx.insertInto("tokens").values(toTokenRow(account.id, token)).execute();
      });
    },

    async isEmpty() {
      return (await existing().select("id").limit(1).executeTakeFirst()) === undefined;
    },

    async find(accountId) {
      const row = await existing().selectAll().where("id", "=", accountId).executeTakeFirst();
      return row && toAccount(row);
    },

    async findByEmail(email) {
      const row = await existing().selectAll().where("email_key", "=", email.toLowerCase()).executeTakeFirst();
      return row && toAccount(row);
    },

    async change(accountId, change) {
      if (Object.keys(change).length > 0) await changeRow(accountId, change);
    },

    async hasOtherOperator(accountId) {
      return (await otherOperators(accountId).limit(1).executeTakeFirst()) !== undefined;
    },

    changeIfOperatorStays: (accountId, change) => changeRow(accountId, change, otherOperators(accountId)),

    async erase(accountId, at) {
      await db.transaction().execute(async (trx) => {
        const placeholder = `erased-${accountId}`;
        const erased_at = at.toISOString();
        const empty = { password: null, provider_key: null, plan: null, operator: 0, disabled: 1 };
        await trx
          .updateTable("accounts")
          .set({ ...empty, email: placeholder, email_key: placeholder, erased_at })
          .where("id", "=", accountId)
          .execute();
        await setBarred(trx, accountId, true);
        await trx.deleteFrom("tokens").where("account_id", "=", accountId).execute();
        await trx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
        await trx.updateTable("browsers").set({ label: null }).where("account_id", "=", accountId).execute();
      });
      // The write-ahead log still contains the erased data.
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    },

    async findSuspended(accountIds) {
      const rows = await db
        .selectFrom("accounts")
        .select("id")
        .where("id", "in", toIdList(accountIds))
        .where(({ eb, or }) => or([eb("disabled", "=", 1), eb("erased_at", "is not", null)]))
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    readPasswordHash: (accountId) => secretOf(accountId, "password"),

    async setPasswordHash(accountId, passwordHash) {
      await db.transaction().execute(async (trx) => {
        const account = trx.updateTable("accounts").set({ password: passwordHash }).where("id", "=", accountId);
        await account.where("erased_at", "is", null).execute();
        await trx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
      });
    },

    readProviderKey: (accountId) => secretOf(accountId, "provider_key"),
    setProviderKey: (accountId, sealed) => set(accountId, { provider_key: sealed ?? null }),
  };
}

/** Decides whether the account's browsers can be opened. */
async function setBarred(trx: Transaction<Tables>, accountId: string, isBarred: boolean): Promise<void> {
  const barred = Number(isBarred);
  await trx.updateTable("account_load").set({ barred }).where("account_id", "=", accountId).execute();
}

function toColumns(change: AccountChange): Partial<AccountRow> {
  const { hasAdditionalUnits, isDisabled, isOperator, ...same } = change;
  return {
    ...same,
    ...(hasAdditionalUnits === undefined ? {} : { additional_units: Number(hasAdditionalUnits) }),
    ...(isDisabled === undefined ? {} : { disabled: Number(isDisabled) }),
    ...(isOperator === undefined ? {} : { operator: Number(isOperator) }),
  };
}
