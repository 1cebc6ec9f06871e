import { sql } from "kysely";

const MARK = "/* named */";

/**
 * Marks a statement that PostgreSQL parses and plans once per connection. Use it for frequent statements that run
 * outside transactions, find their rows by key, and hardly vary in their text.
 */
export const NAMED = sql.raw(MARK);

export function isNamed(text: string): boolean {
  return text.includes(MARK);
}
