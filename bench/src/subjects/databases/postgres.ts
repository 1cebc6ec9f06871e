import { join } from "node:path";
import type { Client } from "pg";
import { type Postgres, program } from "../../../../server/test/interface.ts";
import { timeMs } from "../../measure/time.ts";
import { Child } from "../processes/child.ts";

/** `pg_test_fsync` writes for this long with each method. */
const SYNC_S = 1;

/** How often per second `pg_test_fsync` writes 8 kB to the disk of a PostgreSQL server with `fdatasync`. */
export async function measureSyncs({ folder }: Postgres): Promise<number> {
  await using child = await Child.start({
    command: program("pg_test_fsync"),
    arguments: ["-s", `${SYNC_S}`, "-f", join(folder, "fsync")],
    log: join(folder, "fsync.log"),
  });
  // The first of several tests. The others are not needed.
  const [, perS] = await child.says(/^ +fdatasync +([\d.]+) ops\/sec/m);
  return Number(perS);
}

/** Runs `pgbench` with its simple update. The database has its tables. @returns Transactions per second. */
export async function measurePgbench(
  { folder }: Postgres,
  url: string,
  { clients, seconds }: { readonly clients: number; readonly seconds: number },
): Promise<number> {
  await using child = await Child.start({
    command: program("pgbench"),
    arguments: ["-N", "--no-vacuum", "-c", `${clients}`, "-j", "2", "-T", `${seconds}`, url],
    log: join(folder, "pgbench.log"),
  });
  const [, perS] = /^tps = ([\d.]+) /m.exec(await child.output()) ?? [];
  return Number(perS);
}

/** Creates the tables of `pgbench` in a new database. @param scale In 100,000 rows. @returns The database's URL. */
export async function createPgbench(postgres: Postgres, scale: number): Promise<string> {
  const url = await postgres.createDatabase();
  await using child = await Child.start({
    command: program("pgbench"),
    arguments: ["--initialize", "--quiet", "--scale", `${scale}`, url],
    log: join(postgres.folder, "pgbench.log"),
  });
  await child.output();
  return url;
}

/**
 * The time of a query that reads nothing, from Node, in ms. It is a single one, because an Open also comes after a
 * pause: in a loop, both processes would be awake, and their code in the processor's caches.
 */
export function measureRoundTrip(client: Client): Promise<number> {
  return timeMs(() => client.query("select 1"));
}
