import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  newPostgresStore,
  openTestPostgresStore,
  type Postgres,
  type Store,
} from "../../../../server/test/interface.ts";
import type { Row } from "../../bench.ts";
import { descendantsOf, readReapedMs, readProcessorMs } from "../../measure/processes.ts";
import { toDifference } from "../../report/comparison.ts";
import { percent } from "../../report/units.ts";
import { SimulatedBrowsers } from "../../subjects/databases/simulated-browsers.ts";
import { createAccounts } from "../../subjects/databases/stored-accounts.ts";

const [FRONTS, WORKERS, BROWSERS] = [3, 10, 1000];
const ACCOUNTS = 1000;
/** Number of connections in each server's pool. */
const CONNECTIONS = 2;
/** One minute, during which each browser is charged once. */
const WINDOW_S = 60;
const OPENS_PER_S = Math.ceil(BROWSERS / WINDOW_S);
/** Interval at which servers report and workers look for browsers that must be closed. */
const REPORT_S = 2;
const MAX_SHARE = 0.03;

const REPORT = { version: "0.0.0", kinds: ["chromium"], plans: "00000000", capacity: BROWSERS, warm: 0 } as const;

/** PostgreSQL's CPU time for a cluster whose browsers stay open and whose users send no requests. */
export const fleetUpkeep: Row = {
  name: "fleet-upkeep",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    await using stores = await openStores(postgres);
    const accounts = await createAccounts(stores.fronts[0] as Store, ACCOUNTS);
    const start = new Date();
    const browsers = stores.workers.map(
      (store, index) => new SimulatedBrowsers(store.browsers, accounts, start, index),
    );
    for (const ofWorker of browsers) await ofWorker.pass(WINDOW_S, OPENS_PER_S, Infinity);
    const all = [...stores.fronts, ...stores.workers];
    for (const store of all) await store.workers?.register({ ...REPORT, role: "front", taken: 0 });
    await postgres.query("vacuum analyze");
    const idle = await watch(postgres, async () => {});
    bench.report(1, 2);
    const share = await watch(postgres, async (second) => {
      const reporting = all.filter((_, index) => (index + second) % REPORT_S === 0);
      await Promise.all([
        ...reporting.map((store) => report(store)),
        ...browsers.map(async (ofWorker, index) => {
          // Spread the workers' charges evenly over one second.
          await wait((index / WORKERS) * 1000);
          await ofWorker.pass(1, 0, Infinity);
        }),
      ]);
    });
    bench.report(2, 2);
    const open = (WORKERS * OPENS_PER_S * WINDOW_S).toLocaleString("en");
    const about = {
      name: `PostgreSQL: processor time for reports and charges, ${FRONTS} front-ends, ${WORKERS} workers, ${open} open browsers`,
      ...{ unit: percent, baseline: "without reports and charges", maxAdded: MAX_SHARE, of: "of a core" },
    };
    return [toDifference(about, { ours: [share], base: [idle] })];
  },
};

async function openStores(postgres: Postgres) {
  await using acquired = new AsyncDisposableStack();
  const { store, url } = await newPostgresStore(postgres, "front001", CONNECTIONS);
  const open = async (name: string, index: number): Promise<Store> =>
    acquired.use(await openTestPostgresStore(url, `${name}${index}`.padEnd(8, "0"), CONNECTIONS));
  const fronts: Store[] = [acquired.use(store)];
  while (fronts.length < FRONTS) fronts.push(await open("front", fronts.length + 1));
  const workers: Store[] = [];
  while (workers.length < WORKERS) workers.push(await open("w", workers.length));
  const resources = acquired.move();
  return { fronts, workers, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Makes the calls that a server makes when it reports. */
async function report({ workers, fleet }: Store): Promise<void> {
  await workers?.report({ ...REPORT, taken: BROWSERS });
  await workers?.list();
  await fleet?.findWantedClosed();
}

/**
 * Measures PostgreSQL's CPU time.
 * @param act Called once a second.
 * @returns PostgreSQL's CPU usage as a share of one core, including processes that exit during the measurement.
 */
async function watch(postgres: Postgres, act: (second: number) => Promise<void>): Promise<number> {
  const [pid = ""] = (await readFile(join(postgres.folder, "data", "postmaster.pid"), "utf8")).split("\n");
  const read = (): number => {
    const running = [Number(pid), ...descendantsOf(Number(pid))];
    return running.reduce((sum, each) => sum + readProcessorMs(each), readReapedMs(Number(pid)));
  };
  const [startedMs, usedMs] = [performance.now(), read()];
  for (let second = 0; second < WINDOW_S; second += 1) {
    await wait(Math.max(0, startedMs + second * 1000 - performance.now()));
    await act(second);
  }
  await wait(Math.max(0, startedMs + WINDOW_S * 1000 - performance.now()));
  return (read() - usedMs) / (performance.now() - startedMs);
}
