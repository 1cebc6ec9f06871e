import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPgBouncer } from "../../../../../test/support/databases/pgbouncer.ts";
import { type Postgres, startPostgres } from "../../../../../test/support/databases/postgres.ts";
import { NAMED } from "../../named.ts";
import { newPostgresDialect } from "./pool.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Opens a pool with a single connection. */
function connect(url = postgres.url): Kysely<unknown> {
  return new Kysely<unknown>({ dialect: newPostgresDialect({ url, maxConnections: 1 }) });
}

async function countPrepared(db: Kysely<unknown>): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(db);
  return rows[0]?.count;
}

test("PostgreSQL only prepares marked statements", async () => {
  await using db = connect();
  for (const number of [1, 2]) {
    const { rows } = await sql`${NAMED} select ${number}::int as number`.execute(db);
    expect(rows).toEqual([{ number }]);
    await sql`select ${number}::int`.execute(db);
  }
  expect(await countPrepared(db)).toBe(1);
});

test.each(["transaction", "session", "statement"] as const)(
  "no prepared statements remain on a pooler's connections: pool_mode = %s",
  async (mode) => {
    await using bouncer = await startPgBouncer(postgres, mode);
    await using db = connect(bouncer.toUrl(postgres.url));
    const { rows } = await sql`${NAMED} select 1 as number`.execute(db);
    expect(rows).toEqual([{ number: 1 }]);
    expect(await countPrepared(db)).toBe(0);
  },
);

test("a statement that PostgreSQL has forgotten is still executed", async () => {
  await using db = connect();
  const read = sql`${NAMED} select 2 as number`;
  await read.execute(db);
  await sql`deallocate all`.execute(db);
  expect((await read.execute(db)).rows).toEqual([{ number: 2 }]);
});

test("a statement still runs after its table gains a column", async () => {
  await using db = connect();
  await sql`create table growing as select 1 as first`.execute(db);
  const read = sql`${NAMED} select * from growing`;
  await read.execute(db);
  await sql`alter table growing add column second integer`.execute(db);
  expect((await read.execute(db)).rows).toEqual([{ first: 1, second: null }]);
});
