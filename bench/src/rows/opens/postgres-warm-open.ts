import type { Row } from "../../bench.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { medianOf } from "../../measure/statistics.ts";
import { toDifference } from "../../report/comparison.ts";
import { ms } from "../../report/units.ts";
import { timeOpens } from "../../subjects/browsers/open-browser.ts";
import { connect, measureRoundTrip, measureSyncs } from "../../subjects/databases/postgres.ts";
import type { Server } from "../../subjects/processes/server.ts";

/** Limits on the time that PostgreSQL adds to Open, excluding one disk sync. */
const [MAX_OWN_MS, MAX_ROUND_TRIPS] = [1, 2];

/** A warm Open on a server with PostgreSQL, compared with a server with SQLite. */
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
    const maxAdded = MAX_ROUND_TRIPS * roundTripMs + syncMs + MAX_OWN_MS;
    const figure = toDifference(
      {
        name: "PostgreSQL: warm Open, default options: request → response",
        ...{ unit: ms, baseline: "SQLite", maxAdded },
        note: `; round trip ${roundTripMs.toFixed(2)} ms, sync ${syncMs.toFixed(2)} ms`,
      },
      { ours: measured.postgres, base: measured.sqlite },
    );
    const target = `≤ + ${MAX_ROUND_TRIPS} round trips + 1 sync + ${MAX_OWN_MS} ms = ${ms(maxAdded)}`;
    return [{ ...figure, target }];
  },
};

async function timeOpen(server: Server): Promise<number> {
  const tookMs = await timeOpens(server, 1, {}, async () => {});
  // No browser may start during the other server's measurement.
  await server.untilWarm(1);
  return tookMs;
}
