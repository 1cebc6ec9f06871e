import { sql } from "kysely";
import { readSpanText } from "./span-text.ts";
import type { Engine } from "../engine.ts";

export const sqliteEngine: Engine = {
  toIdList: (ids) => sql`(select value from json_each(${JSON.stringify(ids)}))`,
  toPairs: (pairs) => sql`(select value ->> 0 as key, value ->> 1 as value from json_each(${JSON.stringify(pairs)}))`,
  hasElement: (column, text) => sql`exists (select 1 from json_each(${column}) where value = ${text})`,
  position: (text, part) => sql`instr(${text}, ${part})`,
  spans: sql`string_agg(opened_at || closed_at, '')`,
  readSpans: (spans) => readSpanText(typeof spans === "string" ? spans : ""),
  lockRows: (query) => query,
  lockAccounts: async () => {},
  async forgetDeleted(db) {
    // Until the checkpoint, the write-ahead log contains the deleted data.
    await sql`pragma wal_checkpoint(truncate)`.execute(db);
  },
};
