import { orAborted } from "../../src/concurrency/abortable.ts";
import { until } from "../support/until.ts";
import { openNetwork } from "../support/machine/network.ts";
import { startPostgres } from "../support/databases/postgres.ts";
import { actAll } from "./acts.ts";
import { checkHistory } from "./checks/check-history.ts";
import { checkHeld, readHeld } from "./checks/check-machine.ts";
import { checkStore } from "./checks/check-store.ts";
import { type SimulatedCluster, startSimulatedCluster } from "./cluster.ts";
import { type FaultOptions, type Planned, planFaults } from "./faults.ts";
import { type History, newHistory } from "./history.ts";
import { Load, type LoadAccount, type LoadOptions, createAccounts } from "./load.ts";
import type { Evidence } from "./plants.ts";
import { type Sample, Sampler } from "./sampler.ts";
import { strikeAll } from "./strikes.ts";
import { type Violation, toViolations } from "./checks/violations.ts";

/** Time limit for all browsers to end after the load, in ms. Unclaimed browsers remain open for half a minute. */
const QUIET_MS = 60_000;
/**
 * Fraction of the run in which some clients disconnect before the response. These clients' browsers end before the run
 * does.
 */
const LEAVE_SHARE = 0.4;
/** Size of the database's disk in runs with a fault that fills the disk, in MB. */
const DISK_MB = 512;
/** Accounts with at most this limit send twice as many simultaneous Opens as the limit allows. */
const BURST = 40;
/** Number of accounts that send twice as many simultaneous Opens as their limit. */
const BURSTS = 4;

export type Options = Omit<LoadOptions, "leaveUntilMs"> &
  FaultOptions & {
    readonly fronts: number;
    readonly workers: number;
    /** Average browser start time, in ms. */
    readonly startMs: number;
    /** Duration of each measurement of Open requests, before and during the sessions, in seconds. */
    readonly measureS: number;
  };

export type Run = {
  readonly options: Options;
  readonly evidence: Evidence;
  readonly databaseUrl: string;
  readonly samples: readonly Sample[];
};

/**
 * Runs a cluster under load and faults until all browsers have ended.
 * @param use Receives the evidence while the database is still running.
 * @param interrupted Aborts the simulation, which then rejects with the signal's reason.
 */
export async function simulate<T>(
  options: Options,
  say: (line: string) => void,
  use: (run: Run) => Promise<T>,
  interrupted: AbortSignal = new AbortController().signal,
): Promise<T> {
  const faults = planFaults(options);
  const names = new Set(faults.flatMap((planned) => planned.names));
  using network = [...names].some((name) => name.startsWith("cut")) ? openNetwork() : undefined;
  await using postgres = await startPostgres(
    {
      listen_addresses: ["127.0.0.1", ...(network?.addresses.slice(0, 1) ?? [])].join(","),
      max_connections: 20 + 8 * (options.fronts + options.workers),
      max_wal_size: "128MB",
    },
    { diskMb: names.has("fill database disk") ? DISK_MB : undefined, hasClock: names.has("move clock") },
  );
  await using cluster = await startSimulatedCluster(postgres, {
    ...options,
    // While a worker is down or drained, the other workers have enough slots for all browsers.
    capacity: Math.ceil((options.sessions * 1.2) / Math.max(1, options.workers - 1)) + 20,
    network,
    hasClocks: names.has("move clock"),
  });
  interrupted.throwIfAborted();
  return await orAborted(runIn(cluster, options, faults, say).then(use), interrupted);
}

async function runIn(
  cluster: SimulatedCluster,
  options: Options,
  faults: readonly Planned[],
  say: (line: string) => void,
): Promise<Run> {
  const history = newHistory();
  const accounts = await createAccounts(cluster, options.sessions);
  say(`Running ${options.fronts} front-ends and ${options.workers} workers with ${accounts.length} accounts.`);
  let leaveUntilMs = Infinity;
  const load = new Load(cluster, accounts, history, { ...options, leaveUntilMs: () => leaveUntilMs });
  await using sampler = new Sampler(cluster, () => load.live);
  const measure = async (): Promise<void> => {
    if (options.measureS === 0) return;
    sampler.isQuiet = true;
    await load.measure(options.measureS);
    sampler.isQuiet = false;
  };
  await measure();
  await load.fill();
  say(`${load.live} sessions are live.`);
  await measure();
  leaveUntilMs = Date.now() + options.seconds * LEAVE_SHARE * 1000;
  await Promise.all([
    strikeAll(cluster, history, faults, options.seed),
    actAll(cluster, accounts, history, options),
    new Promise((resolve) => setTimeout(resolve, options.seconds * 1000)),
  ]);
  await load.end();
  const unclaimed = await readLeft(cluster);
  say(`The load ended after ${history.sessions.length} sessions. ${unclaimed.length} browsers are still open.`);
  for (const row of unclaimed.slice(0, 3)) say(JSON.stringify(withSession(row, history)));
  const left = await waitUntilEmpty(cluster);
  say(`${left.length} browsers remain.`);
  for (const account of burstAccounts(accounts, history)) {
    history.bursts.push(await load.burst(account, account.limit ?? 0));
  }
  await waitUntilEmpty(cluster);
  say("The simultaneous Opens have ended.");
  const held = await readHeldAtEnd(cluster);
  history.mistakes.push(...cluster.mistakes);
  await sampler[Symbol.asyncDispose]();
  history.counts.push(...sampler.counts);
  const evidence = { history, query: cluster.cluster.query, held, left };
  return { options, evidence, databaseUrl: cluster.cluster.url, samples: sampler.samples };
}

/** A browser's row. */
type Left = { readonly id?: string; readonly label?: string };

/** Returns all violations of the invariants in a run's evidence. */
export async function check({ history, query, held, left }: Evidence): Promise<Violation[]> {
  return [
    ...checkHistory(history),
    ...(await checkStore(query, history)),
    ...checkHeld(held),
    ...toViolations(
      "5",
      "Browsers remained after the load",
      left.map((row) => withSession(row, history)),
    ),
  ];
}

function withSession(row: Left, { sessions }: History): object {
  return { ...row, session: sessions.find(({ label }) => label === row.label) };
}

/** Waits until all browsers have ended. @returns The rows that remain after the time limit. */
async function waitUntilEmpty(cluster: SimulatedCluster): Promise<Left[]> {
  const read = () => readLeft(cluster);
  return until(read, ({ length }) => length === 0, QUIET_MS).catch(read);
}

function readLeft({ cluster }: SimulatedCluster): Promise<Left[]> {
  return cluster.query("select id, account_id, state, worker, label, requested_at, opened_at from browsers");
}

/** Reads the servers' resources once idle connections between servers have closed. */
async function readHeldAtEnd({ fronts, workers, postgres }: SimulatedCluster) {
  const read = () => readHeld([...fronts, ...workers], postgres.port);
  return until(read, ({ length }) => length === 0).catch(read);
}

/** Returns up to `BURSTS` accounts that weren't changed during the run, each with a different limit. */
function burstAccounts(accounts: readonly LoadAccount[], { acts }: History): LoadAccount[] {
  const changed = new Set(acts.map(({ account }) => account));
  const limits = new Set<number>();
  return accounts
    .filter(({ id, limit = Infinity }) => {
      if (changed.has(id) || limit > BURST || limits.has(limit)) return false;
      limits.add(limit);
      return true;
    })
    .slice(0, BURSTS);
}
