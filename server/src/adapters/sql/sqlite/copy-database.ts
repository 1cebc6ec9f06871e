import { DatabaseSync } from "node:sqlite";

const BUSY_MS = 5000;

/** Writes a consistent copy of a database, even while a server uses it. Erased data isn't copied. */
export function copyDatabase(from: string, to: string): void {
  using database = new DatabaseSync(from, { timeout: BUSY_MS });
  database.prepare("VACUUM INTO ?").run(to);
}
