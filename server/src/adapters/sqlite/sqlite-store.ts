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

/** Time that a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Opens the database and brings its tables up to date.
 * @param file Path of the database; `:memory:` for a temporary one.
 * @param claim Called before tables are changed; the result is disposed afterwards. Throw to refuse the change.
 * @throws {Error} When the file can't be read or written, or the migration fails, which changes nothing.
 */
export async function openSqliteStore(
  file: string,
  claim: () => Disposable = () => ({ [Symbol.dispose]() {} }),
): Promise<Store> {
  // The database contains addresses of open browsers, so only this user may read it, whatever the umask says.
  if (file !== ":memory:") {
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  }
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec("pragma journal_mode = wal");
  // With WAL, "normal" stays consistent. A power cut can only lose the last transactions.
  database.exec("pragma synchronous = normal");
  // Otherwise deleted data would stay readable in the file until it is overwritten.
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
    ...rememberTokens({ accounts: sqlAccounts(db), tokens: sqlTokens(db) }, database),
    directory: sqlDirectory(db),
    sessions: sqlSessions(db),
    browsers: sqlBrowsers(db),
    usage: sqlUsage(db),
    [Symbol.asyncDispose]: () => (closing ??= db.destroy()),
  };
}
