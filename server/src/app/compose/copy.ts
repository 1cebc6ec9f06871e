import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Copied } from "../../adapters/sql/copy.ts";
import { FolderInUse } from "../../ports/store/store.ts";
import { AccountError } from "../../services/accounts/errors.ts";
import { lockDatabase } from "./storage.ts";

/**
 * Copies a database into an empty one, and compares the rows and totals of both.
 * @param from The path of an SQLite file, or a `postgres://` URL. `to` has the same format.
 * @returns The number of rows copied from each table.
 * @throws {AccountError} If a database can't be used, or the target isn't empty. The target remains unchanged.
 */
export async function copyStorages(from: string, to: string): Promise<Copied> {
  const { copyTables, openPostgresTables, openSqliteTables } = await import("../../adapters/sql/copy.ts");
  if (!isPostgres(from) && !existsSync(from)) throw new AccountError(`--from ${from} doesn't exist.`);
  using locks = new DisposableStack();
  for (const file of [from, to].filter((database) => !isPostgres(database))) {
    try {
      locks.use(lockDatabase(resolve(file)));
    } catch (error) {
      throw error instanceof FolderInUse ? new AccountError(error.message, { cause: error }) : error;
    }
  }
  const openTables = (database: string) =>
    isPostgres(database) ? openPostgresTables(database) : openSqliteTables(resolve(database));
  await using source = await openTables(from);
  await using target = await openTables(to);
  try {
    return await copyTables(source.db, target.db);
  } catch (error) {
    throw error instanceof Error && error.name === "CopyError"
      ? new AccountError(error.message, { cause: error })
      : error;
  }
}

function isPostgres(database: string): boolean {
  return /^postgres(ql)?:/.test(database);
}
