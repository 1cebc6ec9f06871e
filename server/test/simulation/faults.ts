import { setTimeout as wait } from "node:timers/promises";
import { type Random, newRandom } from "../faults/random.ts";
import { until } from "../support/until.ts";
import type { Machine, SimulatedCluster } from "./cluster.ts";
import type { History } from "./history.ts";

export const FAULTS = [
  "kill worker",
  "kill front-end",
  "stop worker",
  "stop front-end",
  "restart database",
  "kill backend",
  "kill all workers",
] as const;
export type FaultName = (typeof FAULTS)[number];

/** When a fault begins, after the load has, and for how long it holds if it is one that holds, in ms. */
export type Planned = { readonly name: FaultName; readonly atMs: number; readonly holdMs: number };

/** Faults begin and end within these shares of the run. */
const [FIRST, LAST] = [0.2, 0.75];
const HOLD_S = [2, 5] as const;
/** How long the old rows of a worker may take to go, before it counts as a mistake anyway. */
const FREED_MS = 60_000;

/** Spreads faults over a run, each kind once before any comes again. The same for the same seed. */
export function planFaults(
  count: number,
  seconds: number,
  seed: number,
  names: readonly FaultName[] = FAULTS,
): Planned[] {
  const random = newRandom(seed);
  let left: FaultName[] = [];
  const stepMs = (seconds * 1000 * (LAST - FIRST)) / Math.max(1, count);
  return Array.from({ length: count }, (_, at) => {
    if (left.length === 0) left = [...names];
    const name = random.oneOf(left) as FaultName;
    left = left.filter((one) => one !== name);
    const atMs = seconds * 1000 * FIRST + (at + random.between(0, 0.5)) * stepMs;
    return { name, atMs, holdMs: Math.min(random.between(...HOLD_S) * 1000, stepMs) };
  });
}

/** Lets planned faults strike, each when it is due and the one before is over. */
export async function strikeAll(
  cluster: SimulatedCluster,
  history: History,
  planned: readonly Planned[],
  seed: number,
): Promise<void> {
  const startedMs = performance.now();
  for (const [at, { name, atMs, holdMs }] of planned.entries()) {
    await wait(Math.max(0, startedMs + atMs - performance.now()));
    await strike(cluster, history, name, holdMs, newRandom(seed + at + 1));
  }
}

async function strike(
  cluster: SimulatedCluster,
  history: History,
  name: FaultName,
  holdMs: number,
  random: Random,
): Promise<void> {
  const { fronts, workers, postgres } = cluster;
  const one = random.oneOf(name.endsWith("front-end") ? fronts : workers) as Machine;
  const targets = name === "kill all workers" ? workers : [one];
  const isKill = name.startsWith("kill") && name !== "kill backend";
  const killed = isKill ? targets.filter(({ role }) => role === "worker").map(({ id }) => id) : [];
  const isOfDatabase = name === "restart database" || name === "kill backend";
  const target = isOfDatabase ? "PostgreSQL" : targets.map((machine) => machine.name).join(", ");
  const struck = { name, target, fromMs: Date.now(), toMs: Infinity, killed, freedMs: [] as number[] };
  history.faults.push(struck);
  if (name === "restart database") {
    await postgres.stop("immediate");
    await postgres.start();
  } else if (name === "kill backend") {
    await postgres.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname like 'test%' and pid % 2 = ${Math.floor(random.between(0, 2))}`);
  } else if (isKill) {
    const old = await readInstances(cluster);
    await Promise.all(targets.map((machine) => machine.kill()));
    await Promise.all(
      targets.map(async (machine) => {
        await machine.ready();
        if (machine.role === "worker") struck.freedMs.push(await measureFreed(cluster, machine, old.get(machine.id)));
      }),
    );
  } else {
    one.signal("SIGSTOP");
    await wait(holdMs);
    one.signal("SIGCONT");
  }
  struck.toMs = Date.now();
}

/** The current starts of all servers, by their ids. */
async function readInstances({ cluster }: SimulatedCluster): Promise<Map<string, string>> {
  const rows = await cluster.query<{ id: string; instance: string }>("select id, instance from workers");
  return new Map(rows.map(({ id, instance }) => [id, instance]));
}

/** How long it takes until the rows of a worker's earlier start are gone, in ms. */
async function measureFreed({ cluster }: SimulatedCluster, { id }: Machine, instance = ""): Promise<number> {
  const startedMs = performance.now();
  const count = () =>
    cluster.query<{ n: number }>(
      `select count(*)::int as n from browsers where worker = '${id}' and instance = '${instance}'`,
    );
  await until(count, ([row]) => row?.n === 0, FREED_MS).catch(() => {});
  return performance.now() - startedMs;
}
