import { Kysely, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { findPending } from "../migration-state.ts";
import { postgresMigrations } from "./migrations.ts";
import { newPostgresDialect } from "./connection/pool.ts";

/**
 * Applies pending migrations, and limits the sessions of the database's user. Servers that start at the same time wait
 * for the first one.
 * @param url The URL of PostgreSQL itself: a pooler in transaction mode doesn't keep the lock.
 * @returns The names of the applied migrations.
 * @throws {Error} If a migration fails, which leaves the database unchanged, or the tables are newer than this server.
 */
export async function migratePostgres(url: string): Promise<string[]> {
  // Migrations have no time limit.
  await using db = new Kysely<unknown>({ dialect: newPostgresDialect({ url, maxConnections: 1, queryTimeoutMs: 0 }) });
  await limitSessions(db);
  if ((await findPending(db, postgresMigrations)).length === 0) return [];
  const { error, results = [] } = await new Migrator({ db, provider: postgresMigrations }).migrateToLatest();
  if (error !== undefined) throw error;
  return results.map(({ migrationName }) => migrationName);
}

/** How often a running query checks that its client is still connected, and how long a transaction may be idle. */
const LIMITS = [
  ["client_connection_check_interval", "2s"],
  ["idle_in_transaction_session_timeout", "15s"],
] as const;

/**
 * Limits this user's sessions in this database. Otherwise, PostgreSQL would finish disconnected clients' queries, and
 * keep hung clients' locks. The limits are user settings, because poolers don't forward a connection's settings. Limits
 * set by an operator aren't changed, and users that can't alter their own settings have no limits.
 */
async function limitSessions(db: Kysely<unknown>): Promise<void> {
  for (const [name, value] of LIMITS) {
    const { rows } = await sql<{ isSet: boolean }>`select current_setting(${name}) <> '0' as "isSet"`.execute(db);
    if (rows[0]?.isSet === true) continue;
    // The lock is needed because two servers can't alter the user at the same time.
    await sql`do ${sql.lit(`begin
      perform pg_advisory_xact_lock(hashtext('remote-browser-service'));
      execute format('alter role current_user in database %I set ${name} = %L', current_database(), '${value}');
      exception when insufficient_privilege then null;
    end`)}`.execute(db);
  }
}
