import { DatabaseSync } from "node:sqlite";

export type MoreAccounts = {
  /** The server's database, with its tables. */
  readonly file: string;
  readonly count: number;
  /** The month in which each account uses units on every day: `2026-10`. */
  readonly period: string;
};

/** The days that every month has. */
const DAYS = 28;

/** Writes accounts and their usage into a database. All are older than the accounts that exist. */
export function addAccounts({ file, count, period }: MoreAccounts): void {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
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
  } finally {
    database.close();
  }
}
