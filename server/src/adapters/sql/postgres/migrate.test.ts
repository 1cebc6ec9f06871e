import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Postgres, startPostgres } from "../../../../test/support/databases/postgres.ts";
import { TEST_BOX } from "../../../../test/support/databases/stores.ts";
import { until } from "../../../../test/support/until.ts";
import { migratePostgres } from "./migrate.ts";
import { postgresMigrations } from "./migrations.ts";
import { openPostgresStore } from "./postgres-store.ts";

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function open(url: string): Promise<void> {
  await (await openPostgresStore({ url, box: TEST_BOX, worker: "", instance: "" }))[Symbol.asyncDispose]();
}

const DONE = "insert into kysely_migration (name, timestamp) values";

test("one of several servers that start at the same time creates the tables", async () => {
  const url = await postgres.createDatabase();
  const applied = await Promise.all(Array.from({ length: 5 }, () => migratePostgres(url)));
  expect(applied.flat()).toEqual(Object.keys(await postgresMigrations.getMigrations()));
  await open(url);
});

test("tables that a later version has only extended are used unchanged", async () => {
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  await postgres.query("alter table browsers add column later text", url);
  await postgres.query(`${DONE} ('9999-expand-later', '2027-01-01')`, url);
  expect(await migratePostgres(url)).toEqual([]);
  await open(url);
});

test("tables with an incompatible change by a later version are refused, and the error names the migration", async () => {
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  await postgres.query(`${DONE} ('0002-contract-later', '2027-01-01')`, url);
  await expect(migratePostgres(url)).rejects.toThrow("0002-contract-later");
  await expect(open(url)).rejects.toThrow("0002-contract-later");
});

test("commands refuse a database without tables and name the command that creates them", async () => {
  await expect(open(await postgres.createDatabase())).rejects.toThrow("account -- migrate");
});

test.each([
  ["default_transaction_isolation", "serializable", "must be read committed"],
  ["DateStyle", "German", "must be ISO"],
])("a database with an unsupported %s is refused", async (setting, value, reason) => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await postgres.query(`alter database ${name} set ${setting} = '${value}'`);
  await expect(open(url)).rejects.toThrow(reason);
});

test("idle transactions and queries of disconnected clients end soon, unless the operator set other limits", async () => {
  const url = await postgres.createDatabase();
  const name = new URL(url).pathname.slice(1);
  await postgres.query(`alter database ${name} set idle_in_transaction_session_timeout = '1h'`);
  await migratePostgres(url);
  const [limits] = await postgres.query(
    `select current_setting('client_connection_check_interval') as checked,
      current_setting('idle_in_transaction_session_timeout') as idle`,
    url,
  );
  expect(limits).toEqual({ checked: "2s", idle: "1h" });
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  void client.query("select pg_sleep(60)").catch(() => {});
  const countRunning = () =>
    postgres.query(`select from pg_stat_activity where datname = '${name}' and query like 'select pg_sleep%'`);
  await until(countRunning, ({ length }) => length === 1);
  client.connection.stream.destroy();
  await until(countRunning, ({ length }) => length === 0);
});

test("the ledger rejects updates and deletions", async () => {
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  await postgres.query("insert into ledger values ('b', '2026-11-21', 'a', 1)", url);
  for (const change of ["update ledger set units = 2", "delete from ledger", "truncate ledger"])
    await expect(postgres.query(change, url)).rejects.toThrow("append-only");
});
