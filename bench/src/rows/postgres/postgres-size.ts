import { newPostgresStore, type Postgres } from "../../../../server/test/interface.ts";
import type { Bench, Row } from "../../bench.ts";
import type { Figure } from "../../report/figure.ts";
import { MB, mb, signed, times } from "../../report/units.ts";
import { type DatabaseSize, describeHotUpdates, readSize } from "../../subjects/databases/postgres-size.ts";
import { SimulatedBrowsers } from "../../subjects/databases/simulated-browsers.ts";
import { createAccounts } from "../../subjects/databases/stored-accounts.ts";

/** The size of a server's pool. */
const CONNECTIONS = 6;
const ACCOUNTS = 1000;
/**
 * For speed, transactions don't wait for the disk, which doesn't affect the measured size. Vacuums start once a second
 * instead of once a minute, because simulated time is about 60 times as fast.
 */
const SETTINGS = { synchronous_commit: "off", autovacuum_naptime: "1s" };
const HOUR_S = 3600;
/** PostgreSQL's `checkpoint_timeout`. A page's first change after a checkpoint writes the whole page to the log. */
const CHECKPOINT_S = 300;

/** At each measurement, 3,000 browsers are open. Between the measurements, 20,000 browsers end. */
const ENDING = { opensPerS: 5, minutes: 10, warmUpS: 1200, openingS: 4000 };
const MAX_BYTES = 600;

const STAYING = { browsers: 10_000, opensPerS: 167 };
const MAX_GROWTH_BYTES = 50 * MB;
/** Avoid the rare case of a browser that is open at midnight and has two rows in the ledger. */
const NOON = new Date("2026-11-21T12:00:00.000Z");
/** A new day's rows are written in the first hour after midnight. */
const BEFORE_MIDNIGHT = new Date("2026-11-21T23:30:00.000Z");

/** Simulates browsers over time to measure the space that they take up in PostgreSQL. */
export const postgresSize: Row = {
  name: "postgres-size",
  async measure(bench) {
    await using postgres = await bench.newPostgres(SETTINGS);
    return [await measureEnded(bench, postgres), await measureStaying(bench, postgres)];
  },
};

/** Simulates accounts' browsers in a new store. @returns The result and the share of HOT updates. */
async function simulate<Result>(
  postgres: Postgres,
  start: Date,
  act: (simulated: { pass: SimulatedBrowsers["pass"]; readSize: () => Promise<DatabaseSize> }) => Promise<Result>,
): Promise<{ readonly result: Result; readonly hot: string }> {
  const { store, url } = await newPostgresStore(postgres, undefined, CONNECTIONS);
  const run = async (): Promise<Result> => {
    await using opened = store;
    const browsers = new SimulatedBrowsers(opened.browsers, await createAccounts(opened, ACCOUNTS), start);
    return await act({
      async pass(seconds, opensPerS, minutes) {
        for (let left = seconds; left > 0; left -= CHECKPOINT_S) {
          await browsers.pass(Math.min(left, CHECKPOINT_S), opensPerS, minutes);
          await postgres.query("checkpoint");
        }
      },
      readSize: () => readSize(postgres, url),
    });
  };
  const result = await run();
  return { result, hot: await describeHotUpdates(postgres, url) };
}

async function measureEnded(bench: Bench, postgres: Postgres): Promise<Figure> {
  const { opensPerS, minutes, warmUpS, openingS } = ENDING;
  const { result, hot } = await simulate(postgres, NOON, async ({ pass, readSize: read }) => {
    await pass(warmUpS, opensPerS, minutes);
    const before = await read();
    await pass(openingS, opensPerS, minutes);
    return [before, await read()] as const;
  });
  bench.report(1, 2);
  const [before, after] = result;
  const ended = openingS * opensPerS;
  const [bytes, rowBytes] = [(after.bytes - before.bytes) / ended, (after.rowBytes - before.rowBytes) / ended];
  const wal = `log ${((after.walBytes - before.walBytes) / ended / 1000).toFixed(1)} kB`;
  return {
    name: `PostgreSQL: tables and indexes per ended browser, ${ended.toLocaleString("en")} browsers of ${minutes} minutes`,
    ours: `${bytes.toFixed(0)} bytes`,
    baseline: `its row ${rowBytes.toFixed(0)} bytes`,
    compared: `${times(bytes / rowBytes)}; ${wal}; ${hot}`,
    target: `≤ ${MAX_BYTES} bytes`,
    isMet: bytes <= MAX_BYTES,
  };
}

async function measureStaying(bench: Bench, postgres: Postgres): Promise<Figure> {
  const { browsers, opensPerS } = STAYING;
  const { result, hot } = await simulate(postgres, BEFORE_MIDNIGHT, async ({ pass, readSize: read }) => {
    await pass(Math.floor(browsers / opensPerS), opensPerS, Infinity);
    const before = await read();
    await pass(HOUR_S, 0, Infinity);
    const first = await read();
    await pass(HOUR_S, 0, Infinity);
    return [before, first, await read()] as const;
  });
  bench.report(2, 2);
  const [before, first, second] = result;
  // Later hours reuse the pages that the first hour fills.
  const growth = first.bytes - before.bytes + 23 * (second.bytes - first.bytes);
  const walBytes = 24 * (second.walBytes - first.walBytes);
  return {
    name: `PostgreSQL: growth per day with ${browsers.toLocaleString("en")} open browsers`,
    ours: signed(mb)(growth),
    baseline: `at the start ${mb(before.bytes)}`,
    compared: `log ${(walBytes / 1000 / MB).toFixed(1)} GB; ${hot}`,
    target: `< + ${mb(MAX_GROWTH_BYTES)}`,
    isMet: growth < MAX_GROWTH_BYTES,
  };
}
