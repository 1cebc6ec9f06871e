import { type Kysely, type Transaction, sql } from "kysely";
import type { Account } from "../../../domain/account/account.ts";
import {
  type AccountChange,
  type AccountSecrets,
  type AccountStore,
  EmailTaken,
} from "../../../ports/store/account-store.ts";
import { toAccount, toKeys, toRow } from "./account-row.ts";
import type { Engine } from "../engine.ts";
import type { AccountRow, Tables } from "../schema.ts";
import { toTokenRow } from "./tokens.ts";

type Accounts = Omit<AccountStore, "all" | "page" | "emails">;

export function newAccountStore(db: Kysely<Tables>, engine: Engine): Accounts {
  const existing = (from: Kysely<Tables> = db) => from.selectFrom("accounts").where("erased_at", "is", null);
  const isEmpty = async (from?: Kysely<Tables>): Promise<boolean> =>
    (await existing(from).select("id").limit(1).executeTakeFirst()) === undefined;
  const secretOf = async (accountId: string, column: "password" | "provider_key"): Promise<string | undefined> => {
    const row = await existing().select(column).where("id", "=", accountId).executeTakeFirst();
    return row?.[column] ?? undefined;
  };
  const set = async (from: Kysely<Tables>, accountId: string, columns: Partial<AccountRow>): Promise<void> => {
    const account = from.updateTable("accounts").set(columns).where("id", "=", accountId);
    await account.where("erased_at", "is", null).execute();
  };
  /** Selects other operators who can sign in. */
  const otherOperators = (accountId: string) =>
    db
      .selectFrom("accounts as other")
      .select("other.id")
      .where("other.id", "!=", accountId)
      // Written as a literal, so that SQLite uses the index on operators.
      .where("other.operator", "=", sql.lit(1))
      .where("other.disabled", "=", 0)
      .where("other.password", "is not", null);
  /** @param needed The account changes only if this query returns a row. @returns Whether the account changed. */
  const changeRow = (
    accountId: string,
    change: AccountChange,
    needed?: ReturnType<typeof otherOperators>,
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      await lockLoad(trx, accountId);
      // Serializes changes to operators, so that each change sees the others.
      if (needed !== undefined) {
        const operators = trx.selectFrom("accounts").select("id").where("operator", "=", sql.lit(1)).orderBy("id");
        await engine.lockRows(operators).execute();
      }
      const changed = await trx
        .updateTable("accounts")
        .set({ ...toColumns(change), version: sql`version + 1` })
        .where("id", "=", accountId)
        .where("erased_at", "is", null)
        .$if(needed !== undefined, (query) => query.where(({ exists }) => exists(needed ?? sql.lit(false))))
        .returning(["version", "disabled"])
        .executeTakeFirst();
      if (changed === undefined) return false;
      // Admission reads these columns.
      const load = { version: changed.version, barred: changed.disabled };
      await trx.updateTable("account_load").set(load).where("account_id", "=", accountId).execute();
      return true;
    });
  /** To prevent deadlocks, every transaction that changes an account and its load locks the load first. */
  const lockLoad = async (trx: Transaction<Tables>, accountId: string): Promise<void> => {
    const load = trx.selectFrom("account_load").select("account_id").where("account_id", "=", accountId);
    await engine.lockRows(load).execute();
  };
  const insert = async (
    trx: Transaction<Tables>,
    account: Account,
    { passwordHash, token }: AccountSecrets,
  ): Promise<void> => {
    const [formerKey, ...keys] = toKeys(account.email);
    const former = trx.selectFrom("accounts").select("id").where("email_key", "=", formerKey);
    if (keys.length > 0 && (await former.executeTakeFirst()) !== undefined) throw new EmailTaken(account.email);
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("accounts")
      .values({ ...toRow(account), password: passwordHash ?? null })
      .onConflict((conflict) => conflict.column("email_key").doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw new EmailTaken(account.email);
    const none = { opening: 0, open: 0, period: "", units: 0 };
    await trx
      .insertInto("account_load")
      .values({ account_id: account.id, version: account.version, barred: Number(account.isDisabled), ...none })
      .execute();
    if (token !== undefined) await trx.insertInto("tokens").values(toTokenRow(account.id, token)).execute();
  };
  return {
    async create(account, secrets) {
      await db.transaction().execute((trx) => insert(trx, account, secrets));
    },

    async createFirst(account, secrets) {
      return db.transaction().execute(async (trx) => {
        await engine.lockAccounts(trx);
        if (!(await isEmpty(trx))) return false;
        await insert(trx, account, secrets);
        return true;
      });
    },

    isEmpty: () => isEmpty(),

    async find(accountId) {
      const row = await existing().selectAll().where("id", "=", accountId).executeTakeFirst();
      return row && toAccount(row);
    },

    async findByEmail(email) {
      const [formerKey, ...keys] = toKeys(email);
      const rows = await existing()
        .selectAll()
        .where("email_key", "in", [formerKey, ...keys])
        .execute();
      const row = rows.find(({ email_key }) => email_key === formerKey) ?? rows[0];
      return row && toAccount(row);
    },

    async change(accountId, change) {
      if (Object.keys(change).length > 0) await changeRow(accountId, change);
    },

    async outdate(accountId) {
      await changeRow(accountId, {});
    },

    async hasOtherOperator(accountId) {
      return (await otherOperators(accountId).limit(1).executeTakeFirst()) !== undefined;
    },

    changeIfOperatorStays: (accountId, change) => changeRow(accountId, change, otherOperators(accountId)),

    async erase(accountId, at) {
      // Each step is complete on its own. If a later step fails, the account is disabled and can still be erased.
      await changeRow(accountId, { isDisabled: true });
      // A separate transaction, because charges lock a browser before the account.
      await db.transaction().execute(async (trx) => {
        const rows = engine.lockRows(trx.selectFrom("browsers").select("id").where("account_id", "=", accountId));
        const ids = await rows.orderBy("id").execute();
        const labels = trx.updateTable("browsers").set({ label: null, tags: null });
        await labels.where("id", "in", engine.toIdList(ids.map(({ id }) => id))).execute();
        // Includes browsers that have ended since the account was disabled.
        const ended = trx.selectFrom("ended_browsers").select("id").where("account_id", "=", accountId);
        const hasWords = ended.where(({ eb, or }) => or([eb("label", "is not", null), eb("tags", "is not", null)]));
        const labelled = engine.lockRows(hasWords.orderBy("id"));
        await trx.updateTable("ended_browsers").set({ label: null, tags: null }).where("id", "in", labelled).execute();
      });
      await db.transaction().execute(async (trx) => {
        await lockLoad(trx, accountId);
        const placeholder = `erased-${accountId}`;
        const erased_at = at.toISOString();
        const empty = { password: null, provider_key: null, plan: null, operator: 0, disabled: 1 };
        await trx
          .updateTable("accounts")
          .set({ ...empty, email: placeholder, email_key: placeholder, erased_at })
          .where("id", "=", accountId)
          .execute();
        await trx
          .deleteFrom("keyed_browsers")
          .where("account_id", "=", accountId)
          .where("ended_at", "is not", null)
          .execute();
        await trx.deleteFrom("tokens").where("account_id", "=", accountId).execute();
        await trx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
      });
      await engine.forgetDeleted(db);
    },

    async findSuspended(accountIds) {
      const rows = await db
        .selectFrom("accounts")
        .select("id")
        .where("id", "in", engine.toIdList(accountIds))
        .where(({ eb, or }) => or([eb("disabled", "=", 1), eb("erased_at", "is not", null)]))
        .execute();
      return new Set(rows.map(({ id }) => id));
    },

    readPasswordHash: (accountId) => secretOf(accountId, "password"),

    async setPasswordHash(accountId, passwordHash) {
      await db.transaction().execute(async (trx) => {
        await set(trx, accountId, { password: passwordHash });
        await trx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
      });
    },

    readProviderKey: (accountId) => secretOf(accountId, "provider_key"),
    setProviderKey: (accountId, sealed) => set(db, accountId, { provider_key: sealed ?? null }),
  };
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
