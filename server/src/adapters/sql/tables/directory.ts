import { type Kysely, type SelectQueryBuilder, type Selectable, sql } from "kysely";
import type { AccountReport, AccountStore } from "../../../ports/store/account-store.ts";
import { toAccount, toKeys } from "./account-row.ts";
import { daysOf } from "./days.ts";
import type { Engine } from "../engine.ts";
import type { AccountRow, Tables } from "../schema.ts";

type Accounts = SelectQueryBuilder<Tables, "accounts", Selectable<AccountRow>>;

export function newAccountDirectory(db: Kysely<Tables>, engine: Engine): Pick<AccountStore, "all" | "page" | "emails"> {
  const existing = () => db.selectFrom("accounts").where("erased_at", "is", null);
  /** Returns accounts with their usage, which is summed only for the accounts that the inner query selects. */
  const report = async (accounts: Accounts, period: string, order: "asc" | "desc"): Promise<AccountReport[]> => {
    const [first, past] = daysOf(period);
    const chosen = accounts.orderBy("created_at", order).orderBy("id", order);
    const rows = await db
      .selectFrom(chosen.as("chosen"))
      .selectAll()
      .select(({ selectFrom }) => [
        selectFrom("daily_usage")
          .select(({ fn }) => fn.sum<number | null>("daily_usage.units").as("sum"))
          .whereRef("daily_usage.account_id", "=", "chosen.id")
          .where("day", ">=", first)
          .where("day", "<", past)
          .as("units_used"),
        selectFrom("account_load").select("open").whereRef("account_id", "=", "chosen.id").as("open_browsers"),
      ])
      .orderBy("created_at", order)
      .orderBy("id", order)
      .execute();
    return rows.map((row) => ({
      ...toAccount(row),
      unitsUsed: row.units_used ?? 0,
      openBrowsers: row.open_browsers ?? 0,
    }));
  };
  return {
    all: (period) => report(existing().selectAll(), period, "asc"),

    async page({ search, after, limit, period }) {
      const matching = existing()
        .selectAll()
        .$if(search !== "", (query) =>
          query.where(({ eb, or }) =>
            or(toKeys(search).map((key) => eb(engine.position(sql.ref("email_key"), key), ">", 0))),
          ),
        )
        .$if(after !== undefined, (query) =>
          query.where(
            sql<boolean>`(created_at, id) < (select created_at, id from accounts as last where last.id = ${after ?? ""})`,
          ),
        )
        .limit(limit);
      return report(matching, period, "desc");
    },

    async emails(accountIds) {
      const rows = await existing().select(["id", "email"]).where("id", "in", engine.toIdList(accountIds)).execute();
      return new Map(rows.map(({ id, email }) => [id, email]));
    },
  };
}
