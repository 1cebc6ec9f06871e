import { DatabaseSync } from "node:sqlite";

const BUSY_MS = 5000;

/** Writes a consistent copy of a database, also while a server uses it. The copy doesn't contain what was erased. */
export function copyDatabase(from: string, to: string): void {
  using database = new DatabaseSync(from, { timeout: BUSY_MS });
  database.prepare("VACUUM INTO ?").run(to);
}
