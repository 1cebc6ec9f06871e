import { DatabaseSync } from "node:sqlite";

export type EndedBrowsers = {
  /** The server's database, with its tables. */
  readonly file: string;
  readonly accountId: string;
  /** The month in which all browsers were open, evenly spread: `2026-10`. */
  readonly period: string;
  readonly count: number;
};

/** Browsers have 1 to this many minutes in the ledger, in turn. */
const MAX_MINUTES = 9;

/**
 * Writes ended browsers into a database, as a busy account has them after a month: browsers, ledger and daily sums, in one
 * transaction.
 */
export function addEndedBrowsers({ file, accountId, period, count }: EndedBrowsers): void {
  const first = Date.parse(`${period}-01T00:00:00.000Z`);
  const past = new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1);
  const stepMs = Math.floor((past - first - MAX_MINUTES * 60_000) / count);
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec("begin immediate");
    database.exec("create temp table lives (id text primary key, at integer, minutes integer)");
    database
      .prepare(`insert into lives
        with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i + 1 < ?)
        select ? || '-' || ? || '-' || i, ? + i * ?, 1 + i % ? from numbers`)
      .run(count, accountId, period, first, stepMs, MAX_MINUTES);
    database
      .prepare(`insert into ended_browsers (id, account_id, kind, headless, label, opened_at, closed_at, reason, units)
        select id, ?, 'chromium', 0, 'crawl of shop ' || (minutes % 4), ${moment("at")},
          ${moment("at + minutes * 60000 - 1000")}, case minutes % 3 when 0 then 'inactive' else 'requested' end, minutes
        from lives`)
      .run(accountId);
    database
      .prepare(`insert into ledger (browser_id, day, account_id, units)
        with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i + 1 < ?)
        select id, substr(${moment("at + i * 60000")}, 1, 10), ?, count(*)
        from lives join numbers on i < minutes group by 1, 2 order by at, 2`)
      .run(MAX_MINUTES, accountId);
    database
      .prepare(`insert into daily_usage (account_id, day, units)
        select account_id, day, sum(units) from ledger where account_id = ? and substr(day, 1, 7) = ? group by 1, 2`)
      .run(accountId, period);
    database.exec("commit");
  } finally {
    database.close();
  }
}

/** SQL that formats milliseconds as the database stores them. */
function moment(ms: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', (${ms}) / 1000, 'unixepoch') || printf('.%03dZ', (${ms}) % 1000)`;
}
