import { sql } from "kysely";

const MARK = "/* named */";

/**
 * Marks a statement that PostgreSQL parses and plans once per connection. Use it for frequent statements outside
 * transactions whose text hardly varies and that find their rows by key.
 */
export const NAMED = sql.raw(MARK);

export function isNamed(text: string): boolean {
  return text.includes(MARK);
}
