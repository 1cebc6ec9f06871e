import { type Kysely, type RawBuilder, sql } from "kysely";
import type { WorkerInstance } from "../../../ports/store/fleet-store.ts";
import type { Server, ServerRegistry, ServerReport } from "../../../ports/cluster/server-registry.ts";
import { NAMED } from "../named.ts";
import type { Tables } from "../schema.ts";
import { closeAsLost } from "./browsers.ts";

/** The end of a renewed lease. A worker that misses five reports is considered dead. */
const LEASE: RawBuilder<unknown> = sql`now() + interval '10 s'`;

/** @param dbs `reports` is for queries that all servers run every two seconds. */
export function newServerRegistry(
  { db, reports }: Readonly<Record<"db" | "reports", Kysely<Tables>>>,
  { worker, instance }: WorkerInstance,
): ServerRegistry {
  const isOwn = sql`id = ${worker} and instance = ${instance}`;
  return {
    id: worker,

    async register(report) {
      const { rows } = await sql<Pick<Server, "wanted">>`
        insert into workers (id, instance, wanted, seen_at, lease_until, report)
        values (${worker}, ${instance}, 'active', now(), ${LEASE}, ${JSON.stringify(report)})
        on conflict (id) do update set instance = excluded.instance, seen_at = now(), lease_until = ${LEASE},
          report = excluded.report,
          wanted = case when workers.wanted = 'draining' then 'active' else workers.wanted end
        returning wanted`.execute(db);
      return rows[0]?.wanted ?? "active";
    },

    async report(report) {
      const { rows } = await sql<Pick<Server, "wanted">>`${NAMED}
        update workers set seen_at = now(), lease_until = ${LEASE}, report = ${JSON.stringify(report)}
        where ${isOwn} returning wanted`.execute(reports);
      return rows[0]?.wanted;
    },

    async leave() {
      await db.transaction().execute(async (trx) => {
        // Closes browsers whose end the server couldn't record. Another worker can take over a worker's reservations.
        await closeAsLost(
          trx,
          sql`worker = ${worker} and instance = ${instance} and (state = 'open' or not exists
            (select from workers w where w.id = ${worker} and w.report::jsonb ->> 'role' = 'worker'))`,
        );
        // The entry remains until the server restarts or an operator removes it. Without `fenceMs`, it never expires.
        await sql`
          with kept as (
            update workers set lease_until = now(), report = (report::jsonb - 'fenceMs' || '{"phase":"left","taken":0,"warm":0}')::text
            where ${isOwn} and wanted = 'cordoned')
          delete from workers where ${isOwn} and wanted <> 'cordoned'`.execute(trx);
      });
    },

    async leaveDrained() {
      const { rows } = await sql`delete from workers where ${isOwn} and wanted = 'draining' returning id`.execute(db);
      return rows.length > 0;
    },

    async list() {
      const { rows } = await sql<Omit<Server, keyof ServerReport | "seenAt"> & Record<"seenAt" | "report", string>>`
        ${NAMED} select id, instance, wanted, seen_at as "seenAt", lease_until > now() as "isAlive", report
        from workers order by id`.execute(reports);
      return rows.map(({ report, seenAt, ...row }) => {
        return { ...(JSON.parse(report) as ServerReport), ...row, seenAt: new Date(seenAt) };
      });
    },

    async want(id, state) {
      const { rows } = await sql`
        update workers set wanted = ${state}
        where id = ${id} and report::jsonb ->> 'role' is distinct from 'front' returning id`.execute(db);
      return rows.length > 0;
    },

    async connectionLimit() {
      const { rows } = await sql<{ free: number }>`
        select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) as free`.execute(db);
      return rows[0]?.free ?? 0;
    },

    // Uses one transaction: without the worker's entry, its browsers can't be found. The worker's reports wait for it.
    remove: (id) =>
      db.transaction().execute(async (trx) => {
        const { rows } = await sql`delete from workers where id = ${id} and lease_until <= now() returning id`.execute(
          trx,
        );
        if (rows.length === 0) {
          const known = await sql`select id from workers where id = ${id}`.execute(trx);
          if (known.rows.length > 0) return { is: "alive" };
        }
        const browsers = await closeAsLost(trx, sql`worker = ${id}`);
        return rows.length + browsers > 0 ? { is: "removed", browsers } : { is: "unknown" };
      }),

    removeStrays: () =>
      closeAsLost(
        db,
        sql`requested_at::timestamptz < now() - interval '2 minutes'
          and not exists (select from workers w where w.id = browsers.worker)`,
      ),
  };
}
