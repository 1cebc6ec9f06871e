import { type RawBuilder, sql } from "kysely";

/** A list as one parameter: with one for each, every length would be a statement of its own, kept prepared. */
export function listed(values: readonly string[]): RawBuilder<string> {
  return sql<string>`(select value from json_each(${JSON.stringify(values)}))`;
}
