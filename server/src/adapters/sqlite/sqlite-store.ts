import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import type { Store } from "../../ports/store.ts";
import { newAccountStore } from "./accounts.ts";
import { newBrowserStore } from "./browsers.ts";
import { newAccountDirectory } from "./directory.ts";
import { newSqliteDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { newQueryStore } from "./queries.ts";
import type { Tables } from "./schema.ts";
import { newSessionStore } from "./sessions.ts";
import { withTokenCache } from "./token-cache.ts";
import { newTokenStore } from "./tokens.ts";
import { newUsageStore } from "./usage.ts";

/** Time that a start waits for another process's transaction. Afterwards, only queries wait, without blocking the thread. */
const START_TIMEOUT_MS = 5000;

/**
 * Opens the database and brings its tables up to date.
 * @param file Path of the database; `:memory:` for a temporary one.
 * @param claim Called before tables are changed; the result is disposed afterwards. Throw to refuse the change.
 * @throws {Error} If the file can't be read or written, or the migration fails, which changes nothing.
 */
export async function openSqliteStore(
  file: string,
  claim: () => Disposable = () => ({ [Symbol.dispose]() {} }),
): Promise<Store> {
  // The database contains addresses of open browsers, so only this user may read it, regardless of the umask.
  if (file !== ":memory:") {
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  }
  const database = new DatabaseSync(file, { timeout: START_TIMEOUT_MS });
  database.exec("pragma journal_mode = wal");
  // With WAL, "normal" stays consistent. A power cut can only lose the last transactions.
  database.exec("pragma synchronous = normal");
  // Otherwise deleted data would stay readable in the file until it is overwritten.
  database.exec("pragma secure_delete = on");
  const db = new Kysely<Tables>({ dialect: newSqliteDialect(database) });
  try {
    await migrate(new Migrator({ db, provider: migrations }), database, claim);
  } catch (cause) {
    database.close();
    throw new Error(`The database ${file} could not be brought up to date.`, { cause });
  }
  database.exec("pragma busy_timeout = 0");
  let closing: Promise<void> | undefined;
  return {
    ...withTokenCache(
      { accounts: { ...newAccountStore(db), ...newAccountDirectory(db) }, tokens: newTokenStore(db) },
      database,
    ),
    sessions: newSessionStore(db),
    browsers: newBrowserStore(db),
    usage: newUsageStore(db),
    queries: newQueryStore(db),
    [Symbol.asyncDispose]: () => (closing ??= db.destroy()),
  };
}
