import { type Kysely, type RawBuilder, sql } from "kysely";
import { RESERVED_UNITS } from "../../../domain/plan/price.ts";
import { toDay, toPeriod } from "../../../domain/plan/units.ts";
import { isAdmitted } from "../../../domain/plan/entitlement.ts";
import type { SecretBox } from "../../../ports/secret-box.ts";
import type { WorkerInstance } from "../../../ports/store/fleet-store.ts";
import { type BrowserStore, type Idempotency, KeyTaken, StoreUnavailable } from "../../../ports/store/store.ts";
import { daysOf } from "../tables/days.ts";
import { readLoad } from "../tables/account-load.ts";
import { newSharedBrowserStore } from "../tables/browsers.ts";
import { NAMED } from "../named.ts";
import { sealAddress } from "../rekey.ts";
import { toTagText } from "../storable.ts";
import type { Tables } from "../schema.ts";
import { reportAllChanged } from "./change-feed.ts";
import { type Changed, PRICE, toEnd, toSettled } from "./settle.ts";

/** Maximum reservation attempts: another is made if a refused account is below its limit when its load is read. */
const ATTEMPTS = 3;

/**
 * Stores one server's browsers in tables shared with other servers. Each method is one auto-committed statement; after
 * a refusal, another reads the reason. Statements lock the rows they need: browsers, then the account, then days.
 */
export function newBrowserStore(
  db: Kysely<Tables>,
  box: SecretBox,
  { worker, instance }: WorkerInstance,
): BrowserStore {
  const settle = async (changed: Changed): Promise<{ readonly browsers: number; readonly units: number }> => {
    const { rows } = await toSettled(changed).execute(db);
    return rows[0] ?? { browsers: 0, units: 0 };
  };
  return {
    ...newSharedBrowserStore(db, box),

    async reserve(reservation, terms) {
      const { browserId, accountId, version, kind, isHeadless, label = null, tags, requestedAt, period } = reservation;
      const { idempotency, workerInstance = { worker, instance } } = reservation;
      const { parallel, units } = terms;
      // For accounts whose latest month is after `period` because a clock was ahead.
      const [first, past] = daysOf(period);
      // With `synchronous_commit` off, a reservation isn't flushed to disk until `commitOpen`. If the database crashes
      // before `commitOpen`, the reservation is lost, and the browser isn't opened.
      for (let attempt = 1; ; attempt += 1) {
        const { rows } = await sql`${NAMED}
          with admitted as (update account_load set opening = opening + 1
            where account_id = ${accountId} and version = ${version}::int and barred = 0
              and (${toLimit(parallel)}::int is null or opening + open < ${toLimit(parallel)}::int)
              and (${toLimit(units)}::int is null
                or opening * ${sql.lit(RESERVED_UNITS)} + case when period = ${period} then units
                  when period < ${period} then 0 else (select coalesce(sum(d.units), 0)::int from daily_usage d
                    where d.account_id = account_load.account_id and day >= ${first} and day < ${past})
                  end < ${toLimit(units)}::int)
            returning account_id)
            ${idempotency === undefined ? sql`` : toKeyed(browserId, idempotency)}
          insert into browsers
            (id, account_id, kind, headless, label, tags, state, worker, instance, requested_at, charged)
          select ${browserId}, account_id, ${kind}, ${Number(isHeadless)}::int, ${label}, ${toTagText(tags)}, 'opening', ${workerInstance.worker},
            ${workerInstance.instance}, ${requestedAt.toISOString()}, 0
          from admitted returning id, set_config('synchronous_commit', 'off', true)`
          .execute(db)
          .catch((error: unknown) => {
            throw isDuplicateKey(error) ? new KeyTaken("The Idempotency-Key belongs to another browser.") : error;
          });
        if (rows.length > 0) return undefined;
        const load = await readLoad(db, reservation);
        if (load.isOutdated || attempt === ATTEMPTS || !isAdmitted(terms, load.standing)) return load;
      }
    },

    async cancel(browserId) {
      await settle({ held: sql`id = ${browserId}`, ...toCancel() });
    },

    async commitOpen(browserId, address, openedAt, attempt = 1) {
      const sealed = sealAddress(box, browserId, address);
      const [day, period] = [toDay(openedAt), toPeriod(openedAt)];
      // Doesn't use `settle`, because PostgreSQL needs 1.5 ms to plan it, and every Open runs this statement.
      const { rows } = await sql<{ units: number }>`${NAMED}
        with opened as (update browsers set state = 'open', key_hash = ${sealed.key_hash}, address = ${sealed.address},
            opened_at = ${openedAt.toISOString()}, charged = 1
          where id = ${browserId} and state = 'opening' and worker = ${worker} and instance = ${instance}
            and attempt = ${attempt}::int returning account_id, ${PRICE} as price),
        mine as (select l.*, price from account_load l join opened using (account_id) for no key update of l),
        loaded as (update account_load l set opening = mine.opening - 1, open = mine.open + 1,
            period = greatest(mine.period, ${period}),
            units = case when mine.period > ${period} then mine.units
              when mine.period = ${period} then mine.units + price else price end
          from mine where l.account_id = mine.account_id returning l.account_id, price),
        summed as (insert into daily_usage (account_id, day, units) select account_id, ${day}, price from loaded
          on conflict (account_id, day) do update set units = daily_usage.units + excluded.units)
        select price as units from loaded`.execute(db);
      // The reservation was lost in a database crash, or another worker is opening the browser.
      const [opened] = rows;
      if (opened === undefined)
        throw new StoreUnavailable(`The reservation of the browser ${browserId} no longer exists.`);
      return opened.units;
    },

    async charge(started) {
      const ids = started.map(({ browserId }) => browserId);
      const minutes = started.map((one) => one.minutes);
      const { units } = await settle({
        mark: NAMED,
        due: sql`select * from unnest(${ids}::text[], ${minutes}::int[]) as due (id, minutes)`,
        held: sql`id in (select id from due) and state = 'open'`,
        change: sql`update browsers b set charged = d.minutes from held h join due d using (id)
          where b.id = h.id and d.minutes > h.charged
          returning b.account_id, b.opened_at, h.price, h.state as state, h.charged as was, b.charged,
            b.state as state_now`,
      });
      return units;
    },

    async close(browserId, { at, reason, minutes, keepOpenMs, traffic }) {
      const { units } = await settle({
        mark: NAMED,
        held: sql`id = ${browserId} and state = 'open'`,
        ...toEnd({
          closedAt: sql`${at.toISOString()}`,
          reason,
          charged: sql`greatest(h.charged, ${minutes}::int)`,
          keepOpenMs,
          traffic,
        }),
      });
      return units;
    },

    // Instance ids sort by time. A later instance of the same worker runs on a copy of this server's folder.
    closeLost: () =>
      closeAsLost(
        db,
        sql`worker = ${worker} and instance <> ${instance} and (instance collate "C" < ${instance} or not exists
          (select from workers w where w.id = worker and w.instance = browsers.instance and w.lease_until > now()))`,
      ),
  };
}

/**
 * Closes the records of browsers that no server will close, each at the start of its last charged minute, and notifies
 * the pages of all servers.
 * @param whose A condition on the table `browsers`.
 * @returns The number of browsers that were open.
 */
export async function closeAsLost(db: Kysely<Tables>, whose: RawBuilder<unknown>): Promise<number> {
  if (db.isTransaction) await lockAll(db, whose);
  await toSettled({ held: sql`${whose} and state = 'opening'`, ...toCancel() }).execute(db);
  const { rows } = await toSettled({
    held: sql`${whose} and state = 'open'`,
    ...toEnd({
      closedAt: sql`to_char(h.opened_at::timestamp + (h.charged - 1) * interval '1 minute', ${ISO_FORMAT})`,
      reason: "lost",
      charged: sql`h.charged`,
    }),
  }).execute(db);
  const browsers = rows[0]?.browsers ?? 0;
  if (browsers > 0) await reportAllChanged(db);
  return browsers;
}

/**
 * Locks browsers and then their accounts, as single statements do. Otherwise, the second statement of a transaction
 * would lock browsers after accounts, and could deadlock with a charge.
 */
async function lockAll(trx: Kysely<Tables>, whose: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from browsers where ${whose} order by id for no key update`.execute(trx);
  const accounts = rows.map((row) => row.account_id);
  await sql`select account_id from account_load where account_id = any(${accounts})
    order by account_id for no key update`.execute(trx);
}

/** A change that deletes browsers that weren't delivered and returns their units to their accounts. */
export function toCancel(): Pick<Changed, "change" | "isCancel"> {
  const change = sql`delete from browsers b using held h where b.id = h.id
    returning h.id, h.account_id, h.opened_at, h.price, h.state as state, h.charged as was, 0 as charged,
      null as state_now`;
  return { change, isCancel: true };
}

/** A clause that adds an admitted account's Idempotency-Key. */
function toKeyed(browserId: string, { key, options }: Idempotency): RawBuilder<unknown> {
  return sql`, keyed as (insert into keyed_browsers (account_id, key, options, browser_id)
    select account_id, ${key}, ${options}, ${browserId} from admitted)`;
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: unique_violation. */
function isDuplicateKey(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return code === "23505" && constraint === "keyed_browsers_pkey";
}

/** The format of `Date.toISOString`. */
const ISO_FORMAT: RawBuilder<string> = sql.lit('YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

/** PostgreSQL's integers can't represent infinity. */
function toLimit(limit: number | undefined): number | null {
  return limit === undefined || limit === Infinity ? null : limit;
}
