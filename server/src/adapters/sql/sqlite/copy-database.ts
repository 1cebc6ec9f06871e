import { DatabaseSync } from "node:sqlite";

const BUSY_MS = 5000;

/** Writes a consistent copy of a database, even while a server is using it. The copy contains no erased data. */
export function copyDatabase(from: string, to: string): void {
  using database = new DatabaseSync(from, { timeout: BUSY_MS });
  database.prepare("VACUUM INTO ?").run(to);
}
