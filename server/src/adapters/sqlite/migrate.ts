import type { DatabaseSync } from "node:sqlite";
import type { Migrator } from "kysely/migration";

/**
 * Brings the tables up to date: all of it comes to be, or nothing does, whenever the process ends.
 * @param database What the migrator works on; nothing else may use it meanwhile.
 * @param claim Taken before tables are changed, and disposed of after; throwing refuses that.
 * @throws {Error} What `claim` throws; when a migration fails; when the tables are of a later version than is known here.
 */
export async function migrate(migrator: Migrator, database: DatabaseSync, claim: () => Disposable): Promise<void> {
  const isUpToDate = async (): Promise<boolean> =>
    (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined);
  const toLatest = async (): Promise<void> => {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
  };
  // Then it only finds out whether there is a later version's migration among them.
  if (await isUpToDate()) return toLatest();
  // Kysely runs migrations in no transaction on SQLite, though SQLite takes changes of tables into one.
  database.exec("begin immediate");
  try {
    // Another process may have done it all while this one waited for its turn.
    using _claimed = (await isUpToDate()) ? undefined : claim();
    await toLatest();
    database.exec("commit");
  } catch (error) {
    // Some faults, such as a full disk, have rolled it back already.
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
