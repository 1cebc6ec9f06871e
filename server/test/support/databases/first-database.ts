import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { newSqliteDialect } from "../../../src/adapters/sql/sqlite/dialect.ts";
import { migrations } from "../../../src/adapters/sql/sqlite/migrations.ts";

const FIRST = "0001-accounts-browsers-ledger";

/** Creates a database as the service's first version did. */
export async function writeFirstDatabase(file: string): Promise<void> {
  const database = new DatabaseSync(file);
  // The service opens its database in this mode.
  database.exec("pragma journal_mode = wal");
  const db = new Kysely<unknown>({ dialect: newSqliteDialect(database) });
  const all = await migrations.getMigrations();
  const first = Object.fromEntries(Object.entries(all).filter(([name]) => name === FIRST));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => first } }).migrateToLatest();
  if (error !== undefined) throw error;
  database.exec(`
    insert into accounts values
      ('op', 'Operator@localhost', 'operator@localhost', 'self-hosted', null, null, 0, 0, '2026-01-01T00:00:00.000Z'),
      ('u1', 'One@example.com', 'one@example.com', 'small', 3, 500, 1, 0, '2026-02-01T00:00:00.000Z'),
      ('u2', 'two@example.com', 'two@example.com', null, null, null, 0, 1, '2026-03-01T00:00:00.000Z');
    insert into tokens values
      ('hash-old', 'u1', 'rbs_aaaa', '2026-02-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z'),
      ('hash-new', 'u1', 'rbs_bbbb', '2026-02-02T00:00:00.000Z', null),
      ('hash-op', 'op', 'rbs_cccc', '2026-01-01T00:00:00.000Z', null);
    insert into browsers values
      ('b1', 'u1', 'chromium', 'first', 'closed', null, '2026-10', '2026-10-31T23:58:29.000Z', '2026-10-31T23:58:30.000Z', '2026-11-01T00:01:00.000Z', 'requested'),
      ('b2', 'u1', 'chrome', null, 'closed', null, '2026-11', '2026-11-05T00:00:00.000Z', '2026-11-05T00:00:01.000Z', '2026-11-05T00:00:02.000Z', 'crashed'),
      ('b3', 'op', 'chromium', null, 'open', 'ws://secret', '2026-11', '2026-11-05T00:00:00.000Z', '2026-11-05T00:00:01.000Z', null, null);
    insert into ledger values
      ('b1', 0, 'u1', '2026-10', '2026-10-31T23:58:30.000Z'),
      ('b1', 1, 'u1', '2026-10', '2026-10-31T23:59:30.000Z'),
      ('b1', 2, 'u1', '2026-11', '2026-11-01T00:00:30.000Z'),
      ('b2', 0, 'u1', '2026-11', '2026-11-05T00:00:01.000Z'),
      ('b3', 0, 'op', '2026-11', '2026-11-05T00:00:01.000Z'),
      ('b3', 1, 'op', '2026-11', '2026-11-05T00:01:01.000Z');
    insert into usage values ('u1', '2026-10', 2), ('u1', '2026-11', 2), ('op', '2026-11', 2);
  `);
  await db.destroy();
}
