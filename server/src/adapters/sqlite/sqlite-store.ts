import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Store } from "../../ports/store.ts";
import { sqlAccounts } from "./accounts.ts";
import { sqlBrowsers } from "./browsers.ts";
import { sqlDirectory } from "./directory.ts";
import { nodeSqliteDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import type { Tables } from "./schema.ts";
import { sqlSessions } from "./sessions.ts";
import { rememberTokens } from "./token-cache.ts";
import { sqlTokens } from "./tokens.ts";
import { sqlUsage } from "./usage.ts";

/** How long a writer waits for another process's transaction before it fails. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the books in a file and brings their tables up to date.
 * @param file Path of the database; `:memory:` for one that nobody else sees.
 * @param claim Taken before tables are changed, and disposed of after; throwing refuses that.
 * @throws {Error} When the file can't be read or written, or the tables can't be brought up to date: then they are as before.
 */
export async function openSqliteStore(
  file: string,
  claim: () => Disposable = () => ({ [Symbol.dispose]() {} }),
): Promise<Store> {
  // Addresses of open browsers stand in it: it is nobody else's, whatever the umask and the folder.
  if (file !== ":memory:") {
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec("pragma journal_mode = wal");
  // With WAL, "normal" loses no consistency and at most the last moments before a power cut.
  database.exec("pragma synchronous = normal");
  // What is deleted would stay readable in the file until something else is written there.
  database.exec("pragma secure_delete = on");
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(database) });
  try {
    await migrate(new Migrator({ db, provider: migrations }), database, claim);
  } catch (cause) {
    database.close();
    throw new Error(`The database ${file} could not be brought up to date.`, { cause });
  }
  let closing: Promise<void> | undefined;
  return {
    ...rememberTokens({ accounts: { ...sqlAccounts(db), ...sqlDirectory(db) }, tokens: sqlTokens(db) }, database),
    sessions: sqlSessions(db),
    browsers: sqlBrowsers(db),
    usage: sqlUsage(db),
    [Symbol.asyncDispose]: () => (closing ??= db.destroy()),
  };
}
