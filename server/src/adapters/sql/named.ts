import { sql } from "kysely";

const MARK = "/* named */";

/**
 * Marks a statement that PostgreSQL parses and plans once for each connection. That suits statements of every request
 * that have the same few texts, find their rows by keys, and aren't part of a transaction.
 */
export const NAMED = sql.raw(MARK);

export function isNamed(text: string): boolean {
  return text.includes(MARK);
}
