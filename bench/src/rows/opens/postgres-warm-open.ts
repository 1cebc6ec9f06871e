import { Client } from "pg";
import { ROUNDS, type Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../../measure/statistics.ts";
import { ms, signed, toText } from "../../report/units.ts";
import { measureRoundTrip, measureSyncs } from "../../subjects/databases/postgres.ts";
import type { Server } from "../../subjects/processes/server.ts";

/** What PostgreSQL may add to Open: its own time, two round trips and one sync of the disk. */
const [MAX_OWN_MS, MAX_ROUND_TRIPS] = [1, 2];

/** A warm Open on a server with PostgreSQL and on one with SQLite. */
export const postgresWarmOpen: Row = {
  name: "postgres-warm-open",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using client = await connect(databaseUrl);
    await using onPostgres = await bench.newServer({ warm: 1, databaseUrl });
    await using onSqlite = await bench.newServer({ warm: 1 });
    await Promise.all([onPostgres.untilWarm(1), onSqlite.untilWarm(1)]);
    const measured = await interleave(
      {
        sqlite: () => timeOpen(onSqlite),
        postgres: () => timeOpen(onPostgres),
        roundTrip: () => measureRoundTrip(client),
        sync: async () => 1000 / (await measureSyncs(postgres)),
      },
      { ...ROUNDS, rounds: 15 },
      bench.report,
    );
    const [roundTripMs, syncMs] = [medianOf(measured.roundTrip), medianOf(measured.sync)];
    const added = spreadOf(differences(measured.postgres, measured.sqlite));
    const maxMs = MAX_ROUND_TRIPS * roundTripMs + syncMs + MAX_OWN_MS;
    return [
      {
        name: "PostgreSQL: warm Open, default options: request → answer",
        ours: ms(medianOf(measured.postgres)),
        baseline: `SQLite ${ms(medianOf(measured.sqlite))}; round trip ${precise(roundTripMs)}, sync ${precise(syncMs)}`,
        compared: toText(added, signed(ms)),
        target: `≤ + ${MAX_ROUND_TRIPS} round trips + 1 sync + ${MAX_OWN_MS} ms = ${ms(maxMs)}`,
        isMet: added.median <= maxMs,
      },
    ];
  },
};

function precise(value: number): string {
  return `${value.toFixed(2)} ms`;
}

async function timeOpen(server: Server): Promise<number> {
  const startedMs = performance.now();
  const address = await server.open({});
  const tookMs = performance.now() - startedMs;
  await server.close(address);
  // Otherwise a browser could start while the other server is measured.
  await server.untilWarm(1);
  return tookMs;
}

async function connect(connectionString: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString });
  // It's cut off when the server stops.
  client.on("error", () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
