import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { findPending } from "../migration-state.ts";
import { postgresMigrations } from "./migrations.ts";
import { newPostgresDialect } from "./pool.ts";

/**
 * Brings the tables up to date. Servers that start at the same time wait for the first one.
 * @param url Leads to PostgreSQL itself: a pooler of transactions doesn't keep the lock.
 * @returns The names of the migrations that it applied.
 * @throws {Error} If a migration fails, which changes nothing, or the tables are newer than this server.
 */
export async function migratePostgres(url: string): Promise<string[]> {
  // Migrations take as long as they need.
  await using db = new Kysely<unknown>({ dialect: newPostgresDialect({ url, maxConnections: 1, queryTimeoutMs: 0 }) });
  if ((await findPending(db, postgresMigrations)).length === 0) return [];
  const { error, results = [] } = await new Migrator({ db, provider: postgresMigrations }).migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}
