import { type Kysely, type Transaction, sql } from "kysely";
import { isAdmitted } from "../../../domain/plan/entitlement.ts";
import { unitsPerMinute } from "../../../domain/plan/price.ts";
import { minuteStart, toDay, toDays } from "../../../domain/plan/units.ts";
import {
  type BrowserEnd,
  type BrowserStore,
  type Idempotency,
  KeyTaken,
  type Started,
  StoreUnavailable,
} from "../../../ports/store/store.ts";
import type { SecretBox } from "../../../ports/secret-box.ts";
import { readLoad } from "../tables/account-load.ts";
import { newSharedBrowserStore } from "../tables/browsers.ts";
import { sealAddress } from "../rekey.ts";
import { toTagText } from "../storable.ts";
import type { Tables } from "../schema.ts";

/** Stores the browsers of one server. Each data folder has its own database. */
export function newBrowserStore(db: Kysely<Tables>, box: SecretBox): BrowserStore {
  return {
    ...newSharedBrowserStore(db, box),

    async reserve(reservation, terms) {
      const { browserId, accountId, kind, isHeadless, label, tags, requestedAt, idempotency } = reservation;
      return db.transaction().execute(async (trx) => {
        const load = await readLoad(trx, reservation);
        if (load.isOutdated || !isAdmitted(terms, load.standing)) return load;
        if (idempotency !== undefined) await addKey(trx, accountId, browserId, idempotency);
        await addToLoad(trx, accountId, { opening: 1 });
        await sql`insert into browsers
            (id, account_id, kind, headless, label, tags, state, worker, instance, requested_at, charged)
          values (${browserId}, ${accountId}, ${kind}, ${Number(isHeadless)}, ${label ?? null}, ${toTagText(tags)},
            'opening', '', '', ${requestedAt.toISOString()}, 0)`.execute(trx);
        return undefined;
      });
    },

    async cancel(browserId) {
      await db.transaction().execute(async (trx) => {
        const reservation = await trx
          .deleteFrom("browsers")
          .where("id", "=", browserId)
          .returning(["account_id", "headless", "opened_at", "charged"])
          .executeTakeFirst();
        if (reservation === undefined) return;
        const { account_id, headless, opened_at, charged } = reservation;
        await trx.deleteFrom("keyed_browsers").where("browser_id", "=", browserId).execute();
        await addToLoad(trx, account_id, opened_at === null ? { opening: -1 } : { open: -1 });
        const days = opened_at === null ? [] : toDays(new Date(opened_at), charged);
        for (const { day, from, to } of days) await addUnits(trx, account_id, day, toUnits(from - to, headless));
      });
    },

    async commitOpen(browserId, address, openedAt) {
      return db.transaction().execute(async (trx) => {
        const { account_id, headless } = await trx
          .updateTable("browsers")
          .set({
            state: "open",
            ...sealAddress(box, browserId, address),
            opened_at: openedAt.toISOString(),
            charged: 1,
          })
          .where("id", "=", browserId)
          .where("state", "=", "opening")
          .returning(["account_id", "headless"])
          .executeTakeFirstOrThrow(
            () => new StoreUnavailable(`The reservation of the browser ${browserId} no longer exists.`),
          );
        await addToLoad(trx, account_id, { opening: -1, open: 1 });
        const units = toUnits(1, headless);
        await addUnits(trx, account_id, toDay(openedAt), units);
        return units;
      });
    },

    async charge(started) {
      return db.transaction().execute(async (trx) => {
        let units = 0;
        for (const each of started) units += await chargeOne(trx, each);
        return units;
      });
    },

    async close(browserId, { at, reason, minutes, keepOpenMs, traffic }) {
      return db.transaction().execute(async (trx) => {
        const units = await chargeOne(trx, { browserId, minutes });
        await end(trx, browserId, { at: () => at, reason, keepOpenMs, traffic });
        return units;
      });
    },

    async closeLost() {
      return db.transaction().execute(async (trx) => {
        const opening = trx.selectFrom("browsers").select("account_id").where("state", "=", "opening");
        await trx.updateTable("account_load").set({ opening: 0 }).where("account_id", "in", opening).execute();
        const ofReservations = trx.selectFrom("browsers").select("id").where("state", "=", "opening");
        await trx.deleteFrom("keyed_browsers").where("browser_id", "in", ofReservations).execute();
        await trx.deleteFrom("browsers").where("state", "=", "opening").execute();
        const lost = await trx.selectFrom("browsers").select("id").where("state", "=", "open").execute();
        for (const { id } of lost)
          await end(trx, id, { at: (openedAt, charged) => minuteStart(openedAt, charged - 1), reason: "lost" });
        return lost.length;
      });
    },
  };
}

/** @throws {KeyTaken} If the account has already used the key. */
async function addKey(
  trx: Transaction<Tables>,
  accountId: string,
  browserId: string,
  { key, options }: Idempotency,
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("keyed_browsers")
    .values({ account_id: accountId, key, options, browser_id: browserId, ended_at: null, address: null })
    .onConflict((conflict) => conflict.columns(["account_id", "key"]).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) throw new KeyTaken("The Idempotency-Key belongs to another browser.");
}

async function addToLoad(
  trx: Transaction<Tables>,
  accountId: string,
  { opening = 0, open = 0 }: { readonly opening?: number; readonly open?: number },
): Promise<void> {
  await sql`update account_load set opening = opening + ${opening}, open = open + ${open}
    where account_id = ${accountId}`.execute(trx);
}

function toUnits(minutes: number, headless: number): number {
  return minutes * unitsPerMinute({ isHeadless: headless === 1 });
}

/** Charges an open browser's minutes that haven't been charged yet. @returns The units charged. */
async function chargeOne(trx: Transaction<Tables>, { browserId, minutes }: Started): Promise<number> {
  const browser = await trx
    .selectFrom("browsers")
    .select(["account_id", "headless", "opened_at", "charged"])
    .where("id", "=", browserId)
    .where("state", "=", "open")
    .where("charged", "<", minutes)
    .$narrowType<{ opened_at: string }>()
    .executeTakeFirst();
  if (browser === undefined) return 0;
  const { account_id, headless, opened_at, charged } = browser;
  await trx.updateTable("browsers").set({ charged: minutes }).where("id", "=", browserId).execute();
  for (const { day, from, to } of toDays(new Date(opened_at), minutes)) {
    const due = to - Math.max(from, charged);
    if (due > 0) await addUnits(trx, account_id, day, toUnits(due, headless));
  }
  return toUnits(minutes - charged, headless);
}

/** Adds units to a day's sum and to the sum of the account's latest month. */
async function addUnits(trx: Transaction<Tables>, accountId: string, day: string, units: number): Promise<void> {
  const period = day.slice(0, 7);
  await sql`insert into daily_usage (account_id, day, units) values (${accountId}, ${day}, ${units})
    on conflict (account_id, day) do update set units = daily_usage.units + excluded.units`.execute(trx);
  await sql`update account_load
    set period = ${period}, units = ${units} + case when period = ${period} then units else 0 end
    where account_id = ${accountId} and period <= ${period}`.execute(trx);
}

type End = Pick<BrowserEnd, "reason" | "keepOpenMs" | "traffic"> & {
  readonly at: (openedAt: Date, charged: number) => Date;
};

/** Moves an open browser's row to `ended_browsers`, and adds its units to the ledger. */
async function end(
  trx: Transaction<Tables>,
  browserId: string,
  { at, reason, keepOpenMs, traffic }: End,
): Promise<void> {
  const found = await trx
    .deleteFrom("browsers")
    .where("id", "=", browserId)
    .where("state", "=", "open")
    .returning(["id", "account_id", "kind", "headless", "label", "tags", "key_hash", "opened_at", "charged", "address"])
    .$narrowType<{ opened_at: string }>()
    .executeTakeFirst();
  if (found === undefined) return;
  const { address, charged, ...browser } = found;
  const { account_id, headless } = browser;
  const openedAt = new Date(browser.opened_at);
  const closed_at = at(openedAt, charged).toISOString();
  await trx
    .insertInto("ended_browsers")
    .values({
      ...browser,
      units: toUnits(charged, headless),
      closed_at,
      reason,
      keep_open: keepOpenMs ?? null,
      bytes_sent: traffic?.sent ?? null,
      bytes_received: traffic?.received ?? null,
    })
    .execute();
  await sql`update keyed_browsers set ended_at = ${closed_at}, address = ${address}
    where browser_id = ${browserId}`.execute(trx);
  await addToLoad(trx, account_id, { open: -1 });
  const rows = toDays(openedAt, charged).map(({ day, from, to }) => {
    return { browser_id: browserId, day, account_id, units: toUnits(to - from, headless) };
  });
  await trx.insertInto("ledger").values(rows).execute();
}
