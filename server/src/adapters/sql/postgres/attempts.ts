import { type Kysely, sql } from "kysely";
import type { AttemptStore } from "../../../ports/store/attempt-store.ts";
import type { Tables } from "../schema.ts";

/** How many expired keys are removed for each new key, to keep the table small. */
const REMOVED = 2;

/** The database's clock in seconds. All servers share it. */
const NOW = sql`extract(epoch from clock_timestamp())`;

export function newAttemptStore(db: Kysely<Tables>): AttemptStore {
  return {
    async take(key, { points, perS }) {
      const { rows } = await sql<{ points: number }>`
        insert into attempts as known (key, points, expire) values (${key}, 1, ${NOW} + ${perS}::int)
        on conflict (key) do update set
          points = case when known.expire > ${NOW} then known.points + 1 else 1 end,
          expire = case when known.expire > ${NOW} then known.expire else excluded.expire end
        where known.expire <= ${NOW} or known.points < ${points}::int
        returning points`.execute(db);
      const [taken] = rows;
      if (taken === undefined) return readWaitS(db, key);
      if (taken.points === 1) await removeOld(db);
      return undefined;
    },

    async takePaced(key, { freeTries, maxPauseS, forgetAfterS }) {
      const pauseS = sql`case when known.points < ${freeTries}::int then 0
        else least(${maxPauseS}::int, power(2, least(known.points - ${freeTries}::int, 30))) end`;
      // A key expires `forgetAfterS` after its last attempt, so `expire` also determines the time of that attempt.
      const waitS = sql<number>`known.expire - ${forgetAfterS}::int + ${pauseS} - ${NOW}`;
      const { rows } = await sql`
        insert into attempts as known (key, points, expire) values (${key}, 1, ${NOW} + ${forgetAfterS}::int)
        on conflict (key) do update set
          points = case when known.expire > ${NOW} then known.points + 1 else 1 end,
          expire = excluded.expire
        where known.expire <= ${NOW} or ${waitS} <= 0
        returning points`.execute(db);
      if (rows.length > 0) {
        await removeOld(db);
        return undefined;
      }
      const late = await sql<{ wait: number }>`
        select (${waitS})::double precision as wait from attempts as known where key = ${key}`.execute(db);
      return Math.max(0.001, late.rows[0]?.wait ?? 0);
    },

    async giveBack(key) {
      await sql`update attempts set points = points - 1
        where key = ${key} and points > 0 and expire > ${NOW}`.execute(db);
    },
  };
}

async function readWaitS(db: Kysely<Tables>, key: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select ceil(expire - ${NOW})::int as wait from attempts where key = ${key}`.execute(db);
  return Math.max(1, rows[0]?.wait ?? 1);
}

async function removeOld(db: Kysely<Tables>): Promise<void> {
  await sql`delete from attempts where key in
    (select key from attempts where expire <= ${NOW} limit ${sql.lit(REMOVED)} for update skip locked)`.execute(db);
}
