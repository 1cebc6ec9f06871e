import { DatabaseSync } from "node:sqlite";

/**
 * Makes this process the only server on a data folder: SQLite's file lock goes away with the process, however it ends.
 * @param file Path of the lock; made when missing.
 * @returns Gives the lock back.
 * @throws {Error} When another process holds it.
 */
export function lockFolder(file: string): Disposable {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("begin exclusive");
  } catch (cause) {
    database.close();
    throw new Error(`Another server already runs on this data folder (it holds ${file}).`, { cause });
  }
  return { [Symbol.dispose]: () => database.isOpen && database.close() };
}
