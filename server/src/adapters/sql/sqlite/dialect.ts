import { randomInt } from "node:crypto";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import {
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { StoreUnavailable } from "../../../ports/store/store.ts";
import { isBusy, isUnavailable } from "./busy.ts";

/** Maximum number of prepared statements. The service uses fewer. */
const MAX_STATEMENTS = 100;

/** Maximum time a query waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 5000;
/** A pause between attempts is at most 20 ms or this share of the time waited so far, whichever is longer. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [2, 20];
const MAX_PAUSE_SHARE = 0.25;

/**
 * Kysely's SQLite dialect on Node's own engine.
 * @param database Its busy timeout must be 0: SQLite's own waiting would block the server's only thread.
 */
export function newSqliteDialect(database: DatabaseSync): Dialect {
  const config = { database: toKyselyDatabase(database) };
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new RetryingDriver(config, database),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Retries a query while another process is writing. Only a transaction's first query can need a retry. */
class RetryingDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(config: SqliteDialectConfig, database: DatabaseSync) {
    super(config);
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => whileBusy(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /** SQLite itself rolls back when the disk fails. A second rollback would fail and hide the original error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

async function whileBusy<Result>(execute: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedMs;
    try {
      return await execute();
    } catch (error) {
      if (!isBusy(error) || waitedMs > BUSY_TIMEOUT_MS) {
        throw isUnavailable(error) ? new StoreUnavailable((error as Error).message, { cause: error }) : error;
      }
    }
    await wait(randomInt(MIN_PAUSE_MS, Math.ceil(Math.max(MAX_PAUSE_MS, waitedMs * MAX_PAUSE_SHARE))));
  }
}

function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = prepared.get(sql);
      if (known !== undefined) return known;
      // After a plain BEGIN, the transaction locks only at its first write, and fails immediately if another process
      // has written in between (https://sqlite.org/lang_transaction.html). The command line can write while a server
      // runs.
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
    throw new TypeError(`SQLite doesn't accept a ${typeof value} as a parameter.`);
  });
}
