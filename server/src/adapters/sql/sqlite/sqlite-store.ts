import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { SecretBox } from "../../../ports/secret-box.ts";
import type { Store } from "../../../ports/store/store.ts";
import { newBrowserStore } from "./browsers.ts";
import { newSqliteDialect } from "./dialect.ts";
import { sqliteEngine } from "./engine.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import type { Tables } from "../schema.ts";
import { newStores } from "../stores.ts";
import { withTokenCache } from "../tables/token-cache.ts";

/** Maximum startup wait for another process's transaction, in ms. Later queries wait without blocking the thread. */
const START_TIMEOUT_MS = 5000;

type SqliteOptions = {
  readonly box: SecretBox;
  readonly contents?: Uint8Array;
  readonly claim?: () => Disposable;
};

/**
 * Opens the database and applies pending migrations.
 * @param file Path of the database; `:memory:` for a temporary one.
 * @param options.box Encrypts the addresses of open browsers.
 * @param options.contents Initial contents of a temporary database, as returned by `serialize`.
 * @param options.claim Called before tables are changed; its result is disposed afterwards. Throws to prevent the
 * change.
 * @throws {Error} If the file can't be read or written, or a migration fails. A failed migration changes nothing.
 */
export async function openSqliteStore(file: string, { box, contents, claim }: SqliteOptions): Promise<Store> {
  // The database contains addresses of open browsers, so only this user may read it, regardless of the umask.
  if (file !== ":memory:") {
    closeSync(openSync(file, "a", 0o600));
    chmodSync(file, 0o600);
  }
  const database = new DatabaseSync(file, { timeout: START_TIMEOUT_MS });
  if (contents !== undefined) database.deserialize(contents);
  database.exec("pragma journal_mode = wal");
  // With WAL, "normal" keeps the database consistent. A power failure can only lose the last transactions.
  database.exec("pragma synchronous = normal");
  // Otherwise, deleted data would remain readable in the file until overwritten.
  database.exec("pragma secure_delete = on");
  const db = new Kysely<Tables>({ dialect: newSqliteDialect(database) });
  try {
    await migrate(db, migrations, database, claim);
  } catch (cause) {
    database.close();
    throw new Error(`The database ${file} couldn't be migrated.`, { cause });
  }
  database.exec("pragma busy_timeout = 0");
  let closing: Promise<void> | undefined;
  const stores = newStores(db, sqliteEngine, box);
  // The result changes when another process writes data: https://sqlite.org/pragma.html#pragma_data_version
  const version = database.prepare("pragma data_version");
  return {
    ...stores,
    ...withTokenCache(stores, () => version.get()?.["data_version"]),
    browsers: newBrowserStore(db, box),
    attempts: undefined,
    workers: undefined,
    fleet: undefined,
    changes: undefined,
    async check() {
      await sql`select 1 from accounts limit 1`.execute(db);
    },
    [Symbol.asyncDispose]: () => (closing ??= db.destroy()),
  };
}
