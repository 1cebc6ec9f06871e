import { DatabaseSync } from "node:sqlite";
import { connect } from "./postgres.ts";

type EndedBrowsers = {
  readonly accountId: string;
  /** Month in which all browsers were open, evenly distributed, such as `2026-10`. */
  readonly period: string;
  readonly count: number;
  /** Number of browsers of each other account. Default: 0. */
  readonly countOfOthers?: number;
};

/** The browsers' durations cycle through 1 to this many minutes. */
const MAX_MINUTES = 9;
const SPARE_MS = MAX_MINUTES * 60_000;

const CACHE_KB = 400_000;

/**
 * Writes ended browsers, their ledger entries and the daily sums into an SQLite database, in one transaction.
 * @param browsers.file A server's database, with its tables.
 */
export function addEndedBrowsers({ file, ...browsers }: EndedBrowsers & { readonly file: string }): void {
  const { accountId, period, count, countOfOthers = 0 } = browsers;
  const { first, past } = toRange(period);
  using database = new DatabaseSync(file, { timeout: 5000 });
  // SQLite's default cache is too small for random writes to several indexes over a million rows.
  database.exec(`pragma cache_size = ${-CACHE_KB}`);
  database.exec("begin immediate");
  database.exec("create temp table numbers (i integer primary key)");
  database
    .prepare(`insert into numbers
      with recursive more (i) as (select 0 union all select i + 1 from more where i + 1 < ?) select i from more`)
    .run(Math.max(count, countOfOthers));
  database.exec("create temp table lives (id text, account_id text, at integer, minutes integer)");
  database
    .prepare(`insert into lives
      select a.id || '-' || ? || '-' || i, a.id, ? + i * (? / a.browsers), 1 + i % ?
      from (select id, case id when ? then ? else ? end as browsers from accounts) a join numbers on i < a.browsers`)
    .run(period, first, past - first - SPARE_MS, MAX_MINUTES, accountId, count, countOfOthers);
  for (const statement of toInserts({ toMoment: moment, toDay: (ms) => `substr(${moment(ms)}, 1, 10)` }))
    database.exec(statement);
  database.exec("commit");
}

/** Does the same as `addEndedBrowsers` in PostgreSQL. @param url The URL of a server's database, with its tables. */
export async function addEndedBrowsersToPostgres(url: string, browsers: EndedBrowsers): Promise<void> {
  const { accountId, period, count, countOfOthers = 0 } = browsers;
  const { first, past } = toRange(period);
  await using client = await connect(url);
  await client.query("begin");
  await client.query("create temp table lives (id text, account_id text, at bigint, minutes integer)");
  await client.query(
    `insert into lives
      select a.id || '-' || $1::text || '-' || i, a.id, $2::bigint + i * ($3::bigint / a.browsers), 1 + i % $4::int
      from (select id, case id when $5 then $6::int else $7::int end as browsers from accounts) a
        cross join generate_series(0, a.browsers - 1) i`,
    [period, first, past - first - SPARE_MS, MAX_MINUTES, accountId, count, countOfOthers],
  );
  for (const statement of toInserts({ toMoment: postgresMoment, toDay: postgresDay })) await client.query(statement);
  await client.query("commit");
  // Autovacuum would run too late.
  await client.query("vacuum analyze");
}

/** SQL expressions that convert milliseconds to the database's date and time formats. */
type Times = { readonly toMoment: (ms: string) => string; readonly toDay: (ms: string) => string };

/** Returns the statements that fill the server's tables from `lives`. */
function toInserts({ toMoment, toDay }: Times): readonly string[] {
  // Minutes that start before midnight count for the first day, and later minutes for the second day.
  const before = "(86400000 - at % 86400000 + 59999) / 60000";
  const shares = `(
    select id, at, account_id, case when minutes < ${before} then minutes else ${before} end as units from lives
    union all
    select id, at + 86400000, account_id, minutes - ${before} from lives where minutes > ${before}) as shares`;
  const day = toDay("at");
  return [
    `insert into ended_browsers (id, account_id, kind, headless, label, opened_at, closed_at, reason, units)
      select id, account_id, 'chromium', 0, 'crawl of shop ' || (minutes % 4), ${toMoment("at")},
        ${toMoment("at + minutes * 60000 - 1000")}, case minutes % 3 when 0 then 'inactive' else 'requested' end, minutes
      from lives order by at`,
    `insert into ledger (browser_id, day, account_id, units) select id, ${day}, account_id, units from ${shares} order by at`,
    `insert into daily_usage (account_id, day, units) select account_id, ${day}, sum(units) from ${shares} group by 1, 2`,
  ];
}

/** Returns the first millisecond of a month and of the following month. */
function toRange(period: string): { readonly first: number; readonly past: number } {
  const first = Date.parse(`${period}-01T00:00:00.000Z`);
  return { first, past: new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1) };
}

function moment(ms: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', (${ms}) / 1000, 'unixepoch') || printf('.%03dZ', (${ms}) % 1000)`;
}

function postgresMoment(ms: string): string {
  return `to_timestamp((${ms}) / 1000.0)`;
}

function postgresDay(ms: string): string {
  return `to_char(${postgresMoment(ms)} at time zone 'UTC', 'YYYY-MM-DD')`;
}
