import { chmodSync, closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderInUse } from "../../../ports/store/store.ts";
import { isBusy } from "./busy.ts";

/**
 * Makes this process the only server that uses a folder. The SQLite file lock is released however the process exits.
 * @param file Path of the lock file, which is created if missing.
 * @returns Disposing releases the lock.
 * @throws {FolderInUse} If another process holds the lock.
 */
export function lockFolder(file: string): Disposable {
  // SQLite would create the file with read access for all users.
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (cause) {
    database.close();
    throw isBusy(cause) ? new FolderInUse(dirname(file)) : cause;
  }
  return { [Symbol.dispose]: () => database.isOpen && database.close() };
}
