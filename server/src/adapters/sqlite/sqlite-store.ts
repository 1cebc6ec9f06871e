import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Store } from "../../ports/store.ts";
import { sqlAccounts } from "./accounts.ts";
import { sqlBrowsers } from "./browsers.ts";
import { nodeSqliteDialect } from "./dialect.ts";
import { migrations } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { rememberTokens } from "./token-cache.ts";

/** How long a writer waits for another process's transaction before it fails. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the books in a file and brings their tables up to date.
 * @param file Path of the database; `:memory:` for one that nobody else sees.
 * @throws {Error} When the file can't be read or written, or a migration fails.
 */
export async function openSqliteStore(file: string): Promise<Store> {
  // Addresses of open browsers stand in it: it is nobody else's, whatever the umask and the folder.
  if (file !== ":memory:") {
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec("pragma journal_mode = wal");
  // With WAL, "normal" loses no consistency and at most the last moments before a power cut.
  database.exec("pragma synchronous = normal");
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(database) });
  const { error } = await new Migrator({ db, provider: migrations }).migrateToLatest();
  if (error !== undefined) {
    database.close();
    throw new Error(`The database ${file} could not be brought up to date.`, { cause: error });
  }
  let closing: Promise<void> | undefined;
  return {
    accounts: rememberTokens(sqlAccounts(db), database),
    browsers: sqlBrowsers(db),
    [Symbol.asyncDispose]: () => (closing ??= db.destroy()),
  };
}
