import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { type MigrationProvider, Migrator } from "kysely/migration";
import { findPending } from "../migration-state.ts";

/**
 * Brings the tables up to date, in one transaction: if the process is killed, no change remains.
 * @param database The engine below `db`. Nothing else may use it during the migration.
 * @param claim Called before tables are changed; the result is disposed afterwards. Throw to refuse the change.
 * @throws {Error} What `claim` throws; when a migration fails; when the tables are newer than this server.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  provider: MigrationProvider,
  database: DatabaseSync,
  claim: () => Disposable,
): Promise<void> {
  const isUpToDate = async (): Promise<boolean> => (await findPending(db, provider)).length === 0;
  if (await isUpToDate()) return;
  // Kysely uses no transaction for migrations on SQLite, although SQLite supports that.
  database.exec("begin immediate");
  try {
    // Another process may have migrated while this one waited for the lock.
    if (!(await isUpToDate())) {
      using _claimed = claim();
      const { error } = await new Migrator({ db, provider }).migrateToLatest();
      if (error !== undefined) throw error;
    }
    database.exec("commit");
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
