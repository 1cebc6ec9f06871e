import { DatabaseSync } from "node:sqlite";

export type EndedBrowsers = {
  /** The books' database; its tables are there already. */
  readonly file: string;
  readonly accountId: string;
  /** Month that all of them were open in, one after the other or nearly so: `2026-10`. */
  readonly period: string;
  readonly count: number;
};

/** The longest-lived has so many minutes in the ledger, and the next one a single one again. */
const MAX_MINUTES = 9;

/**
 * Writes ended browsers into the books, as many as a busy account has after a month, with all that was written when they lived:
 * rows, ledger and sums. They end like the others do, just not one by one.
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
      .prepare(`insert into browsers
          (id, account_id, kind, label, state, period, requested_at, opened_at, closed_at, reason)
        select id, ?, 'chromium', 'crawl of shop ' || (minutes % 4), 'closed', ?, ${moment("at")}, ${moment("at")},
          ${moment("at + minutes * 60000 - 1000")}, case minutes % 3 when 0 then 'inactive' else 'requested' end
        from lives`)
      .run(accountId, period);
    database
      .prepare(`insert into ledger (browser_id, minute, account_id, period, started_at)
        with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i + 1 < ?)
        select id, i, ?, ?, ${moment("at + i * 60000")} from lives join numbers on i < minutes order by at, i`)
      .run(MAX_MINUTES, accountId, period);
    database
      .prepare(`insert into daily_usage (account_id, day, units)
        select account_id, substr(started_at, 1, 10), count(*) from ledger where account_id = ? and period = ? group by 1, 2`)
      .run(accountId, period);
    database.exec("commit");
  } finally {
    database.close();
  }
}

/** SQL for an expression of milliseconds as the books write moments. */
function moment(ms: string): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', (${ms}) / 1000, 'unixepoch') || printf('.%03dZ', (${ms}) % 1000)`;
}
