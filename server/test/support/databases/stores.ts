import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { newKeyBox } from "../../../src/adapters/aes-gcm/file-key-box.ts";
import { openPostgresStore } from "../../../src/adapters/sql/postgres/postgres-store.ts";
import { migratePostgres } from "../../../src/adapters/sql/postgres/migrate.ts";
import type { Tables } from "../../../src/adapters/sql/schema.ts";
import { newSqliteDialect } from "../../../src/adapters/sql/sqlite/dialect.ts";
import { migrate } from "../../../src/adapters/sql/sqlite/migrate.ts";
import { migrations } from "../../../src/adapters/sql/sqlite/migrations.ts";
import { openSqliteStore } from "../../../src/adapters/sql/sqlite/sqlite-store.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import type { Postgres } from "./postgres.ts";

/** The key that all test stores use. */
export const TEST_KEY = Buffer.alloc(32, 1).toString("base64url");

/** Connecting takes longer while many tests run at the same time. */
const PATIENT_MS = 20_000;

export const TEST_BOX = newKeyBox(TEST_KEY, "The key");

/** @param file The database file. Default: an in-memory database that already has its tables. */
export async function openTestStore(file?: string, claim?: () => Disposable): Promise<Store> {
  if (file === undefined) return openSqliteStore(":memory:", { box: TEST_BOX, contents: await emptyDatabase() });
  return openSqliteStore(file, { box: TEST_BOX, ...(claim && { claim }) });
}

let empty: Promise<Uint8Array> | undefined;

/**
 * Returns the bytes of an SQLite database with all tables and no rows. The migrations take longer than most tests, so
 * they run once per process.
 */
export function emptyDatabase(): Promise<Uint8Array> {
  return (empty ??= migrateInMemory());
}

async function migrateInMemory(): Promise<Uint8Array> {
  using database = new DatabaseSync(":memory:");
  const db = new Kysely<Tables>({ dialect: newSqliteDialect(database) });
  await migrate(db, migrations, database, () => ({ [Symbol.dispose]() {} }));
  return database.serialize();
}

/** @param worker The id of the server that uses the store. */
export async function openTestPostgresStore(url: string, worker = "worker-1", maxConnections = 4): Promise<Store> {
  return openPostgresStore({
    url,
    box: TEST_BOX,
    worker,
    instance: randomUUID(),
    maxConnections,
    connectTimeoutMs: PATIENT_MS,
  });
}

/** Opens a store with a new, empty database. */
export async function newPostgresStore(
  server: Pick<Postgres, "createDatabase">,
  worker?: string,
  maxConnections?: number,
): Promise<{ readonly store: Store; readonly url: string }> {
  const url = await server.createDatabase(await migratedOnce(server));
  // Copying a database doesn't copy its settings.
  await migratePostgres(url);
  return { store: await openTestPostgresStore(url, worker, maxConnections), url };
}

const templates = new WeakMap<object, Promise<string>>();

/** Creates a database with all tables, for the server to copy. @returns Its URL. */
function migratedOnce(server: Pick<Postgres, "createDatabase">): Promise<string> {
  const known = templates.get(server);
  if (known !== undefined) return known;
  const made = server.createDatabase().then(async (url) => {
    await migratePostgres(url);
    return url;
  });
  templates.set(server, made);
  return made;
}
