import { join } from "node:path";
import { Client } from "pg";
import { type Postgres, program } from "../../../../server/test/interface.ts";
import { timeMs } from "../../measure/time.ts";
import { Child } from "../processes/child.ts";

/** Duration of `pg_test_fsync` per method, in seconds. */
const SYNC_S = 1;

/** Connects to a database. Disposing the client closes the connection. */
export async function connect(connectionString: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString });
  // Emitted when the server stops.
  client.on("error", () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Measures how many times per second `pg_test_fsync` writes 8 kB to a PostgreSQL server's disk with `fdatasync`. */
export async function measureSyncs({ folder }: Postgres): Promise<number> {
  await using child = await Child.start({
    command: program("pg_test_fsync"),
    arguments: ["-s", `${SYNC_S}`, "-f", join(folder, "fsync")],
    log: join(folder, "fsync.log"),
  });
  // `pg_test_fsync` runs several tests, and the first one is enough. Disposing the process skips the others.
  const [, perS] = await child.says(/^ +fdatasync +([\d.]+) ops\/sec/m);
  return Number(perS);
}

/** Runs `pgbench -N` in a database that contains its tables. @returns Transactions per second. */
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

/** Creates `pgbench`'s tables in a new database. @param scale Number of rows / 100,000. @returns The database URL. */
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
 * Measures a query that reads no data, in ms. Sends only one query, because an Open request also follows a pause: in a
 * loop, both processes would stay awake, with their code in the CPU caches.
 */
export function measureRoundTrip(client: Client): Promise<number> {
  return timeMs(() => client.query("select 1"));
}
