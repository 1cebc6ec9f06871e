import { chmodSync, closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FolderInUse } from "../../../ports/store/store.ts";
import { isBusy } from "./busy.ts";

/**
 * Makes this process the only server on a folder. SQLite's file lock is released however the process ends.
 * @param file Path of the lock file; made when missing.
 * @returns Releases the lock.
 * @throws {FolderInUse} When another process holds it.
 */
export function lockFolder(file: string): Disposable {
  // SQLite would make it readable for all users.
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
