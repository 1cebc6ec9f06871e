import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";
import type { Tables } from "./schema.ts";

/** @returns How many browsers that ended before a moment were deleted, up to the limit. */
export async function deleteEnded(db: Kysely<Tables>, engine: Engine, before: Date, limit: number): Promise<number> {
  const ended = db.selectFrom("ended_browsers").select("id").where("closed_at", "<", before.toISOString());
  // Other servers also delete: each takes rows that the others haven't taken.
  const rows = engine.lockRows(ended.orderBy("closed_at").limit(limit), true);
  const { numDeletedRows } = await db.deleteFrom("ended_browsers").where("id", "in", rows).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
