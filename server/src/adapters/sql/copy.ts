import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { Tables } from "./schema.ts";
import { findPending } from "./migration-state.ts";
import { migratePostgres } from "./postgres/migrate.ts";
import { newPostgresDialect } from "./postgres/connection/pool.ts";
import { newSqliteDialect } from "./sqlite/dialect.ts";
import { migrate } from "./sqlite/migrate.ts";
import { migrations } from "./sqlite/migrations.ts";

/** Open browsers belong to a running server, so their table isn't copied. */
type Table = Exclude<keyof Tables, "browsers">;

/** The number of rows copied to each table. */
export type Copied = Readonly<Record<Table, number>>;

class CopyError extends Error {
  override readonly name = "CopyError";
}

/** The columns that each table is sorted by. Tables that other tables refer to come first. */
const KEYS: { readonly [Name in Table]: readonly (keyof Tables[Name] & string)[] } = {
  accounts: ["id"],
  tokens: ["hash"],
  sessions: ["hash"],
  account_load: ["account_id"],
  ended_browsers: ["id"],
  keyed_browsers: ["account_id", "key"],
  ledger: ["browser_id", "day"],
  daily_usage: ["account_id", "day"],
  query_tokens: ["day", "account_id"],
  audit: ["id"],
};

/** Queries that must return the same value before and after the copy. */
const SUMS = [
  "select sum(units) as sum from daily_usage",
  "select sum(units) as sum from ledger",
  "select sum(units) as sum from ended_browsers",
  "select sum(units) + sum(opening) + sum(open) as sum from account_load",
  "select sum(tokens) as sum from query_tokens",
];

/** Rows per statement. */
const BATCH = 500;

export type OpenTables = AsyncDisposable & { readonly db: Kysely<Tables> };

/** Opens a PostgreSQL database, after creating missing tables and applying pending migrations. */
export async function openPostgresTables(url: string): Promise<OpenTables> {
  await migratePostgres(url);
  const db = new Kysely<Tables>({ dialect: newPostgresDialect({ url, maxConnections: 1, queryTimeoutMs: 0 }) });
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
}

export async function openSqliteTables(file: string): Promise<OpenTables> {
  const database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal");
  const db = new Kysely<Tables>({ dialect: newSqliteDialect(database) });
  const isNew = (await findPending(db, migrations)).length > 0;
  if (isNew) await migrate(db, migrations, database);
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
}

/** Copies all rows in a transaction. @throws {CopyError} If the target has rows, a browser is open, or sums differ. */
export async function copyTables(source: Kysely<Tables>, target: Kysely<Tables>): Promise<Copied> {
  const open = source.selectFrom("browsers").select("id").limit(1);
  if ((await open.executeTakeFirst()) !== undefined)
    throw new CopyError("Browsers are open in the source database. Stop its servers, which closes the browsers.");
  return target.transaction().execute(async (trx) => {
    const counts: Partial<Record<Table, number>> = {};
    for (const table of Object.keys(KEYS) as Table[]) {
      if ((await countRows(trx, table)) > 0)
        throw new CopyError(`The database to copy to isn't empty: it has rows in ${table}.`);
      counts[table] = await copyTable(source, trx, table);
      if ((await countRows(trx, table)) !== (await countRows(source, table)))
        throw new CopyError(`Rows of ${table} changed during the copy. Stop all servers that use either database.`);
    }
    for (const query of SUMS) {
      const [before, after] = [await readSum(source, query), await readSum(trx, query)];
      if (before !== after)
        throw new CopyError(`The copy differs: \`${query}\` returned ${before} before the copy and ${after} after it.`);
    }
    return counts as Copied;
  });
}

async function copyTable(source: Kysely<Tables>, target: Kysely<Tables>, table: Table): Promise<number> {
  const keys = sql.join(KEYS[table].map((column) => sql.ref(column)));
  let copied = 0;
  let after: readonly unknown[] | undefined;
  for (;;) {
    const from = after === undefined ? sql`` : sql`where (${keys}) > (${sql.join(after)})`;
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} ${from} order by ${keys} limit ${sql.lit(BATCH)}`.execute(source);
    const last = rows.at(-1);
    if (last === undefined) return copied;
    const columns = Object.keys(last);
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const names = sql.join(columns.map((column) => sql.ref(column)));
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(target);
    copied += rows.length;
    after = KEYS[table].map((column) => last[column]);
  }
}

async function countRows(db: Kysely<Tables>, table: Table): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(db);
  return rows[0]?.rows ?? 0;
}

async function readSum(db: Kysely<Tables>, query: string): Promise<number> {
  const { rows } = await sql.raw<{ sum: number | null }>(query).execute(db);
  return rows[0]?.sum ?? 0;
}
