import type { Postgres } from "../../../../server/test/interface.ts";

/** The size of a PostgreSQL database. */
export type DatabaseSize = {
  /** Size of tables and indexes after a vacuum. */
  readonly bytes: number;
  /** Size of the ended browsers' rows. */
  readonly rowBytes: number;
  /** Bytes written to the WAL since the database server was created. */
  readonly walBytes: number;
};

/** Vacuums a store's database and reads its size. */
export async function readSize(postgres: Postgres, url: string): Promise<DatabaseSize> {
  const [log] = await postgres.query<{ wal: string }>("select pg_current_wal_lsn() - '0/0' as wal", url);
  await postgres.query("vacuum analyze", url);
  const [size] = await postgres.query<{ bytes: string; rows: string }>(
    `select
      (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables) as bytes,
      (select coalesce(sum(pg_column_size(ended_browsers.*)), 0) from ended_browsers) as rows`,
    url,
  );
  return { bytes: Number(size?.bytes), rowBytes: Number(size?.rows), walBytes: Number(log?.wal) };
}

/** Tables that change every minute. */
const BUSY_TABLES = ["browsers", "account_load", "daily_usage"];

/** Returns the share of updates that changed no index: `HOT 90 % of browsers, …`. Close the store before calling. */
export async function describeHotUpdates(postgres: Postgres, url: string): Promise<string> {
  const rows = await postgres.query<{ name: string; hot: string; all: string }>(
    "select relname as name, n_tup_hot_upd as hot, n_tup_upd as all from pg_stat_user_tables",
    url,
  );
  const shares = BUSY_TABLES.map((table) => {
    const { hot, all } = rows.find(({ name }) => name === table) ?? { hot: 0, all: 0 };
    return `${Math.floor((Number(hot) / Math.max(1, Number(all))) * 100)} % of ${table}`;
  });
  return `HOT ${shares.join(", ")}`;
}
