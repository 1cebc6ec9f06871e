import type { Kysely, Transaction } from "kysely";
import { type Standing, isAdmitted } from "../../domain/account/entitlement.ts";
import type { BrowserStore, Charge } from "../../ports/store.ts";
import { sumOfMonth, toDay } from "./days.ts";
import type { Tables } from "./schema.ts";

export function newBrowserStore(db: Kysely<Tables>): BrowserStore {
  return {
    async reserve({ browserId, accountId, kind, label, requestedAt, period }, terms) {
      return db.transaction().execute(async (trx) => {
        const standing = await readStanding(trx, accountId, period);
        if (!isAdmitted(terms, standing)) return standing;
        await trx
          .insertInto("browsers")
          .values({
            id: browserId,
            account_id: accountId,
            kind,
            label: label ?? null,
            state: "opening",
            address: null,
            period,
            requested_at: requestedAt.toISOString(),
            opened_at: null,
            closed_at: null,
            reason: null,
          })
          .execute();
        return undefined;
      });
    },

    async cancel(browserId) {
      await db.deleteFrom("browsers").where("id", "=", browserId).where("state", "=", "opening").execute();
    },

    async open(browserId, address, charge) {
      await db.transaction().execute(async (trx) => {
        await trx
          .updateTable("browsers")
          .set({ state: "open", address, opened_at: charge.startedAt.toISOString() })
          .where("id", "=", browserId)
          .where("state", "=", "opening")
          .execute();
        await addToLedger(trx, charge);
      });
    },

    async charge(charge) {
      return db.transaction().execute((trx) => addToLedger(trx, charge));
    },

    async close(browserId, { at, reason, charges }) {
      return db.transaction().execute(async (trx) => {
        let units = 0;
        for (const charge of charges) units += await addToLedger(trx, charge);
        await trx
          .updateTable("browsers")
          .set({ state: "closed", address: null, closed_at: at.toISOString(), reason })
          .where("id", "=", browserId)
          .where("state", "=", "open")
          .execute();
        return units;
      });
    },

    async closeLost() {
      return db.transaction().execute(async (trx) => {
        await trx.deleteFrom("browsers").where("state", "=", "opening").execute();
        const { numUpdatedRows } = await trx
          .updateTable("browsers")
          .set(({ selectFrom, ref }) => ({
            state: "closed",
            address: null,
            reason: "lost",
            closed_at: selectFrom("ledger")
              .select(({ fn }) => fn.max("started_at").as("at"))
              .whereRef("ledger.browser_id", "=", ref("browsers.id")),
          }))
          .where("state", "=", "open")
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows);
      });
    },
  };
}

async function readStanding(trx: Transaction<Tables>, accountId: string, period: string): Promise<Standing> {
  const active = await trx
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .where("disabled", "=", 0)
    .where("erased_at", "is", null)
    .executeTakeFirst();
  const counts = await trx
    .selectFrom("browsers")
    .select(["state", ({ fn }) => fn.countAll<number>().as("count")])
    .where("state", "in", ["opening", "open"])
    .where("account_id", "=", accountId)
    .groupBy("state")
    .execute();
  const count = (state: string): number => counts.find((row) => row.state === state)?.count ?? 0;
  const units = await sumOfMonth(trx, accountId, period);
  return {
    isBarred: active === undefined,
    browsers: count("opening") + count("open"),
    units: units + count("opening"),
  };
}

/**
 * Adds a minute to the ledger, and to the sum of its day. Charging a minute again has no effect.
 * @returns The added units: 1 or 0.
 */
async function addToLedger(
  trx: Transaction<Tables>,
  { browserId, minute, period, startedAt }: Charge,
): Promise<number> {
  const { account_id } = await trx
    .selectFrom("browsers")
    .select("account_id")
    .where("id", "=", browserId)
    .executeTakeFirstOrThrow();
  const started_at = startedAt.toISOString();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("ledger")
    .values({ browser_id: browserId, minute, account_id, period, started_at })
    .onConflict((conflict) => conflict.columns(["browser_id", "minute"]).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) return 0;
  await trx
    .insertInto("daily_usage")
    .values({ account_id, day: toDay(started_at), units: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["account_id", "day"])
        .doUpdateSet(({ ref, eb }) => ({ units: eb(ref("daily_usage.units"), "+", 1) })),
    )
    .execute();
  return 1;
}
