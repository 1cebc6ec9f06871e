import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { SqliteDialect, type SqliteDatabase, type SqliteStatement } from "kysely";

/** Prepared statements to keep. The service has fewer. */
const MAX_STATEMENTS = 100;

/** Kysely's SQLite dialect on Node's own engine. */
export function newSqliteDialect(database: DatabaseSync): SqliteDialect {
  return new SqliteDialect({ database: toKyselyDatabase(database) });
}

function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      // A plain BEGIN takes its write lock late, and then fails immediately if another process wrote in between
      // (https://sqlite.org/lang_transaction.html). The command line can write while a server is running.
      const statement = toKyselyStatement(database.prepare(sql === "begin" ? "begin immediate" : sql));
      if (prepared.size < MAX_STATEMENTS) prepared.set(sql, statement);
      return statement;
    },
  };
}

function toKyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toValues(parameters)),
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: (parameters) => statement.iterate(...toValues(parameters)),
  };
}

function toValues(parameters: ReadonlyArray<unknown>): SQLInputValue[] {
  return parameters.map((value) => {
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint")
      return value;
    throw new TypeError(`SQLite takes no ${typeof value} as a parameter.`);
  });
}
