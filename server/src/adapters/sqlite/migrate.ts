import type { DatabaseSync } from "node:sqlite";
import type { Migrator } from "kysely/migration";

/**
 * Brings the tables up to date, in one transaction: if the process is killed, no change remains.
 * @param database The migrator's database. Nothing else may use it meanwhile.
 * @param claim Called before tables are changed; the result is disposed afterwards. Throw to refuse the change.
 * @throws {Error} What `claim` throws; when a migration fails; when the tables are newer than this server.
 */
export async function migrate(migrator: Migrator, database: DatabaseSync, claim: () => Disposable): Promise<void> {
  const isUpToDate = async (): Promise<boolean> =>
    (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined);
  const toLatest = async (): Promise<void> => {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  };
  // Even without new migrations, Kysely checks for migrations of a newer version.
  if (await isUpToDate()) return toLatest();
  // Kysely uses no transaction for migrations on SQLite, although SQLite supports that.
  database.exec("begin immediate");
  try {
    // Another process may have migrated while this one waited for the lock.
    using _claimed = (await isUpToDate()) ? undefined : claim();
    await toLatest();
    database.exec("commit");
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
