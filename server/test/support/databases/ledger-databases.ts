import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { migratePostgres } from "../../../src/adapters/sql/postgres/migrate.ts";
import { TYPES } from "../../../src/adapters/sql/postgres/connection/pool.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { startPostgres } from "./postgres.ts";
import { openTestPostgresStore, openTestStore } from "./stores.ts";

/** The tables that the histories write to. */
const WRITTEN = ["ledger", "daily_usage", "browsers", "ended_browsers", "account_load", "accounts"];

/** A database that several servers use one after another while another process also uses it. */
export type LedgerDatabase = AsyncDisposable & {
  /** @param worker The id of the server that uses the store. */
  openStore(worker: string): Promise<Store>;
  /** Reads the tables directly. */
  read(sql: string): Promise<object[]>;
};

/** Creates databases. Disposing of this object removes all of them. */
export type LedgerDatabases = AsyncDisposable & {
  /** Returns an empty database. Databases returned earlier must no longer be used. */
  next(): Promise<LedgerDatabase>;
};

export async function openSqliteDatabases(): Promise<LedgerDatabases> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-ledger-"));
  let databases = 0;
  return {
    async next() {
      const file = join(folder, `${(databases += 1)}.sqlite`);
      await (await openTestStore(file))[Symbol.asyncDispose]();
      const reader = new DatabaseSync(file, { readOnly: true });
      return {
        openStore: () => openTestStore(file),
        read: async (sql) =>
          reader
            .prepare(sql)
            .all()
            .map((row) => ({ ...row })),
        [Symbol.asyncDispose]: async () => reader.close(),
      };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/**
 * Reuses one database and deletes its rows (2 ms). Truncating tables takes 30 ms, and creating a database even longer.
 */
export async function openPostgresDatabases(): Promise<LedgerDatabases> {
  await using acquired = new AsyncDisposableStack();
  // Don't wait for the disk: these databases needn't survive a power failure.
  const postgres = acquired.use(await startPostgres());
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  const reader = new Client({ connectionString: url, types: TYPES });
  acquired.defer(() => reader.end());
  await reader.connect();
  // Disable triggers: the ledger's trigger rejects deletions.
  await reader.query("set session_replication_role = replica");
  const resources = acquired.move();
  return {
    async next() {
      for (const table of WRITTEN) await reader.query(`delete from ${table}`);
      return {
        openStore: (worker) => openTestPostgresStore(url, worker),
        read: async (sql) => (await reader.query<object>(sql)).rows,
        async [Symbol.asyncDispose]() {},
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
