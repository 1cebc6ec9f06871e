import { sql } from "kysely";
import { readSpanBytes } from "./span-bytes.ts";
import type { Engine } from "../engine.ts";

export const postgresEngine: Engine = {
  toIdList: (ids) => sql`(select unnest(${ids}::text[]))`,
  toPairs: (pairs) =>
    sql`(select * from unnest(${pairs.map(([key]) => key)}::text[], ${pairs.map(([, value]) => value)}::text[])
      as pairs (key, value))`,
  hasElement: (column, text) => sql`${column}::jsonb @> to_jsonb(${text}::text)`,
  position: (text, part) => sql`strpos(${text}, ${part})`,
  spans: sql`string_agg(timestamptz_send(opened_at) || timestamptz_send(closed_at), '')`,
  readSpans: (spans) => readSpanBytes(spans instanceof Buffer ? spans : Buffer.of()),
  lockRows: (query, isSkipping = false) => query.forNoKeyUpdate().$if(isSkipping, (locked) => locked.skipLocked()),
  async lockAccounts(trx) {
    await sql`lock table accounts in share row exclusive mode`.execute(trx);
  },
  // docs/storage.md explains when PostgreSQL removes deleted data from its files.
  forgetDeleted: async () => {},
};
