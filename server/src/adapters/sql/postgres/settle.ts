import { type RawBuilder, sql } from "kysely";
import { unitsPerMinute } from "../../../domain/plan/price.ts";
import type { BrowserEnd } from "../../../ports/store/store.ts";

/** How many units a browser in `browsers` costs per minute. */
export const PRICE = sql`case when headless = 1 then ${sql.lit(unitsPerMinute({ isHeadless: true }))}
  else ${sql.lit(unitsPerMinute({ isHeadless: false }))} end`;

export type Changed = {
  /** Set to `NAMED` for named statements. */
  readonly mark?: RawBuilder<unknown>;
  /** A query that the other clauses refer to as `due`. */
  readonly due?: RawBuilder<unknown>;
  /** The condition that selects the browsers, which are locked in id order. */
  readonly held: RawBuilder<unknown>;
  /**
   * Changes rows of `browsers b` that are in `held h`. Returns `account_id`, `opened_at`, `price`, the old `state` and
   * the new `state_now`, and, as `was` and `charged`, the old and new numbers of charged minutes.
   */
  readonly change: RawBuilder<unknown>;
  /** Whether `change` comes from `toEnd`. */
  readonly isEnd?: boolean;
  /** Whether `change` deletes browsers (which frees their Idempotency-Keys) and also returns `id`. */
  readonly isCancel?: boolean;
};

/** How browsers ended, as SQL expressions over `held h`. */
export type End = Pick<BrowserEnd, "reason" | "keepOpenMs" | "traffic"> & {
  readonly closedAt: RawBuilder<unknown>;
  readonly charged: RawBuilder<unknown>;
};

/** A change that moves browsers to `ended_browsers`, and their units to the ledger. */
export function toEnd({ closedAt, reason, charged, keepOpenMs, traffic }: End): Pick<Changed, "change" | "isEnd"> {
  const change = sql`delete from browsers b using held h where b.id = h.id
    returning h.id, h.account_id, h.kind, h.headless, h.label, h.tags, h.key_hash, h.opened_at, ${closedAt} as closed_at,
      ${reason}::text as reason, ${keepOpenMs ?? null}::float8 as keep_open, ${traffic?.sent ?? null}::bigint as bytes_sent,
      ${traffic?.received ?? null}::bigint as bytes_received,
      h.address, h.state, null as state_now, h.charged as was, h.price, ${charged} as charged`;
  return { change, isEnd: true };
}

/**
 * Returns a statement that changes browsers, their accounts' counts of browsers and units, and the units of each day.
 *
 * The statement locks an account's row (`mine`) before computing the new values from it. A plain update would compute
 * the values, and check constraints, from the row as of the statement's start, which may have changed since.
 */
export function toSettled({
  mark = sql``,
  due,
  held,
  change,
  isEnd = false,
  isCancel = false,
}: Changed): RawBuilder<{ browsers: number; units: number }> {
  return sql`${mark}
    with ${due === undefined ? sql`` : sql`due as (${due}),`}
    held as (select *, ${PRICE} as price from browsers where ${held} order by id for no key update),
    changed as (${change}),
    ${isEnd ? sql`ended as (${ENDED}), entered as (${LEDGER}), keyed as (${KEYED}),` : sql``}
    ${isCancel ? sql`freed as (delete from keyed_browsers k using changed c where k.browser_id = c.id),` : sql``}
    days as (select account_id, day, sum(case when charged < was then -units else units end)::int as units
      from (${toDays(sql`least(was, charged)`, sql`greatest(was, charged)`)}) of_browser group by 1, 2),
    counts as (select account_id,
        count(*) filter (where state_now = 'opening') - count(*) filter (where state = 'opening') as opening,
        count(*) filter (where state_now = 'open') - count(*) filter (where state = 'open') as open
      from changed group by 1),
    mine as (select * from account_load where account_id in (select account_id from counts)
      order by account_id for no key update),
    latest as (select mine.account_id, greatest(period, max(left(day, 7))) as period
      from mine left join days using (account_id) group by mine.account_id, period),
    in_latest as (select account_id, sum(units)::int as units from days join latest using (account_id)
      where left(day, 7) = latest.period group by 1),
    loaded as (update account_load l set
        opening = mine.opening + counts.opening,
        open = mine.open + counts.open,
        period = latest.period,
        units = case when mine.period = latest.period then mine.units else 0 end + coalesce(in_latest.units, 0)
      from mine join counts using (account_id) join latest using (account_id) left join in_latest using (account_id)
      where l.account_id = mine.account_id returning l.account_id),
    summed as (insert into daily_usage (account_id, day, units)
      select account_id, day, days.units from days join loaded using (account_id) order by 1, 2
      on conflict (account_id, day) do update set units = daily_usage.units + excluded.units)
    select count(*)::int as browsers, coalesce(sum((charged - was) * price), 0)::int as units from changed`;
}

const ENDED = sql`insert into ended_browsers
    (id, account_id, kind, headless, label, tags, key_hash, opened_at, closed_at, reason, units, keep_open, bytes_sent,
    bytes_received)
  select id, account_id, kind, headless, label, tags, key_hash, opened_at::timestamptz, closed_at::timestamptz, reason,
    charged * price, keep_open, bytes_sent, bytes_received from changed`;

const KEYED = sql`update keyed_browsers k set ended_at = c.closed_at, address = c.address
  from changed c where k.browser_id = c.id`;

/** Adds a row for each day on which an ended browser was open. */
const LEDGER = sql`insert into ledger (browser_id, day, account_id, units)
  select id, day, account_id, units from (${toDays(sql`0`, sql`charged`)}) of_browser`;

/** Selects the units for minutes `from` (counted from 0) to `to` (exclusive) of changed browsers, by UTC start day. */
function toDays(from: RawBuilder<unknown>, to: RawBuilder<unknown>): RawBuilder<unknown> {
  const opened = sql`c.opened_at::timestamp`;
  // The first minute that starts at or after a time, counted from the browser's opening.
  const minuteAt = (moment: RawBuilder<unknown>) => sql`ceil(extract(epoch from ${moment} - ${opened}) / 60)::int`;
  const start = (minute: RawBuilder<unknown>) => sql`date_trunc('day', ${opened} + (${minute}) * interval '1 minute')`;
  return sql`
    select c.*, to_char(at, 'YYYY-MM-DD') as day,
      (least(${to}, ${minuteAt(sql`at + interval '1 day'`)}) - greatest(${from}, ${minuteAt(sql`at`)})) * price as units
    from changed c cross join lateral generate_series(${start(from)}, ${start(sql`${to} - 1`)}, interval '1 day') as at
    where ${to} > ${from}`;
}
