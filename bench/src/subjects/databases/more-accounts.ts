import { DatabaseSync } from "node:sqlite";
import { connect } from "./postgres.ts";

type MoreAccounts = {
  readonly count: number;
  /** Month in which each account uses units every day, such as `2026-10`. */
  readonly period: string;
};

/** Number of days in the shortest month. */
const DAYS = 28;

/**
 * Adds accounts and their usage to an SQLite database, with earlier creation dates than the existing accounts.
 * @param accounts.file A server's database, with its tables.
 */
export function addAccounts({ file, count, period }: MoreAccounts & { readonly file: string }): void {
  using database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("begin immediate");
  database.exec("create temp table numbers (i integer primary key)");
  database
    .prepare(`insert into numbers
      with recursive more (i) as (select 1 union all select i + 1 from more where i < ?) select i from more`)
    .run(count);
  const id = "printf('00000000-0000-4000-8000-%012d', numbers.i)";
  const email = "printf('person%d@example.com', numbers.i)";
  database.exec(`insert into accounts
      (id, email, email_key, plan, parallel, units, additional_units, disabled, operator, created_at)
    select ${id}, ${email}, ${email}, 'self-hosted', null, null, 0, 0, 0,
      strftime('%Y-%m-%dT%H:%M:%S.000Z', i, 'unixepoch') from numbers`);
  database
    .prepare(`insert into daily_usage (account_id, day, units)
      select ${id}, ? || printf('-%02d', day.i), 1 + (numbers.i + day.i) % 9 from numbers, numbers as day where day.i <= ?`)
    .run(period, DAYS);
  database.exec("commit");
}

/** Like `addAccounts`, but for PostgreSQL. @param url The URL of a server's database, with its tables. */
export async function addAccountsToPostgres(url: string, { count, period }: MoreAccounts): Promise<void> {
  await using client = await connect(url);
  const id = "'00000000-0000-4000-8000-' || lpad(i::text, 12, '0')";
  const email = "format('person%s@example.com', i)";
  const at = `to_char(to_timestamp(i) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`;
  await client.query("begin");
  await client.query(
    `insert into accounts (id, email, email_key, plan, additional_units, disabled, operator, created_at, version)
    select ${id}, ${email}, ${email}, 'self-hosted', 0, 0, 0, ${at}, 0 from generate_series(1, $1::int) i`,
    [count],
  );
  await client.query(
    `insert into account_load (account_id, version, barred, opening, open, period, units)
    select ${id}, 0, 0, 0, 0, '', 0 from generate_series(1, $1::int) i`,
    [count],
  );
  await client.query(
    `insert into daily_usage (account_id, day, units)
    select ${id}, $2::text || '-' || lpad(day::text, 2, '0'), 1 + (i + day) % 9
    from generate_series(1, $1::int) i, generate_series(1, $3::int) day`,
    [count, period, DAYS],
  );
  await client.query("commit");
  await client.query("vacuum analyze");
}
