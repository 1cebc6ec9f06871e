import { type Kysely, sql } from "kysely";
import type { MigrationProvider } from "kysely/migration";

/** Names of later versions' migrations after which this version can still use the tables. */
const EXPANDS = /^\d{4}-expand-/;

/** Returns the names of pending migrations, in order. @throws {Error} If a later version made incompatible changes. */
export async function findPending<Tables>(db: Kysely<Tables>, provider: MigrationProvider): Promise<string[]> {
  const known = Object.keys(await provider.getMigrations()).toSorted();
  const done = await readDone(db);
  const unknown = [...done].filter((name) => !known.includes(name));
  const pending = known.filter((name) => !done.has(name));
  const refused = unknown.filter((name) => !EXPANDS.test(name));
  if (refused.length > 0 || (unknown.length > 0 && pending.length > 0)) {
    throw new Error(
      `The database was changed by another version of the server (${(refused.length > 0 ? refused : unknown).join(", ")}). ` +
        "Start that version or a later one, or restore a backup from before the update.",
    );
  }
  return pending;
}

async function readDone<Tables>(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return new Set();
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return new Set(rows.map(({ name }) => name));
}

/** Executes a migration's statements, each of which ends with a semicolon at the end of a line. */
export async function executeAll(db: Kysely<unknown>, statements: string): Promise<void> {
  for (const statement of statements.split(/;$/m)) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
