import { randomUUID } from "node:crypto";
import { newKeyBox } from "../../src/adapters/aes-gcm/file-key-box.ts";
import { openPostgresStore } from "../../src/adapters/sql/postgres/postgres-store.ts";
import { migratePostgres } from "../../src/adapters/sql/postgres/migrate.ts";
import { openSqliteStore } from "../../src/adapters/sql/sqlite/sqlite-store.ts";
import type { Store } from "../../src/ports/store/store.ts";

/** The key of all stores of tests. */
export const TEST_KEY = Buffer.alloc(32, 1).toString("base64url");

/** Tests that run beside many others wait longer for a connection. */
const PATIENT_MS = 20_000;

export const TEST_BOX = newKeyBox(TEST_KEY, "The key");

export function openTestStore(file = ":memory:", claim?: () => Disposable): Promise<Store> {
  return openSqliteStore(file, { box: TEST_BOX, ...(claim && { claim }) });
}

/** @param worker The id of the server that the store belongs to. */
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

/** A store of a new, empty database. */
export async function newPostgresStore(
  server: { createDatabase(): Promise<string> },
  worker?: string,
  maxConnections?: number,
): Promise<{ readonly store: Store; readonly url: string }> {
  const url = await server.createDatabase();
  await migratePostgres(url);
  return { store: await openTestPostgresStore(url, worker, maxConnections), url };
}
