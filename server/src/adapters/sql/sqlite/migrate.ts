import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import { type MigrationProvider, Migrator } from "kysely/migration";
import { findPending } from "../migration-state.ts";

/**
 * Applies pending migrations in one transaction, so if the process is killed, nothing changes.
 * @param database The database behind `db`, which no other code may use during the migration.
 * @param claim Called before tables are changed; its result is disposed afterwards. Throws to prevent the change.
 * @throws {Error} If `claim` throws, a migration fails, or the tables are newer than this server.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  provider: MigrationProvider,
  database: DatabaseSync,
  claim: () => Disposable = () => new DisposableStack(),
): Promise<void> {
  const isUpToDate = async (): Promise<boolean> => (await findPending(db, provider)).length === 0;
  if (await isUpToDate()) return;
  // On SQLite, Kysely runs migrations without a transaction.
  database.exec("begin immediate");
  try {
    // Another process may have run the migrations while this process waited for the lock.
    if (!(await isUpToDate())) {
      using _claimed = claim();
      const { error } = await new Migrator({ db, provider }).migrateToLatest();
      if (error !== undefined) throw error;
    }
    database.exec("commit");
  } catch (error) {
    // SQLite itself rolls back after some errors, such as a full disk.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
