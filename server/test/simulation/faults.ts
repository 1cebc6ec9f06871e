import { setTimeout as wait } from "node:timers/promises";
import { type Random, newRandom } from "../faults/random.ts";
import type { Breakage } from "../support/tcp-relay.ts";
import { until } from "../support/until.ts";
import type { Machine, SimulatedCluster } from "./cluster.ts";
import type { History, Struck } from "./history.ts";

export const FAULTS = [
  "kill worker",
  "kill front-end",
  "stop worker",
  "stop front-end",
  "restart database",
  "kill backends",
  "kill all workers",
  "cut worker off the database",
  "cut front-end off the database",
  "cut worker off the front-ends",
] as const;
export type FaultName = (typeof FAULTS)[number];

export type FaultOptions = {
  readonly seed: number;
  readonly seconds: number;
  /** How often something strikes. */
  readonly faults: number;
  readonly faultNames: readonly FaultName[];
  /** Whether two faults strike each time, at the same moment. */
  readonly inPairs: boolean;
};

/** When faults begin, after the load has, and for how long those hold that hold, in ms. */
export type Planned = { readonly names: readonly FaultName[]; readonly atMs: number; readonly holdMs: number };

/** Faults begin and end within these shares of the run. */
const [FIRST, LAST] = [0.2, 0.75];
/** Some hold longer than the ten seconds after which a silent server counts as dead. */
const HOLD_S = [2, 16] as const;
/** How long the old rows of a worker may take to go, before it counts as a mistake anyway. */
const FREED_MS = 30_000;
const BREAKAGES: readonly Breakage[] = ["silent", "deaf", "refusing"];

/** Spreads faults over a run, each kind once before any comes again. The same for the same seed. */
export function planFaults({ seed, seconds, faults, faultNames, inPairs }: FaultOptions): Planned[] {
  const random = newRandom(seed);
  let left: FaultName[] = [];
  const draw = (): FaultName => {
    if (left.length === 0) left = [...faultNames];
    const name = random.oneOf(left) as FaultName;
    left = left.filter((one) => one !== name);
    return name;
  };
  const stepMs = (seconds * 1000 * (LAST - FIRST)) / Math.max(1, faults);
  return Array.from({ length: faults }, (_, at) => ({
    names: inPairs ? [draw(), draw()] : [draw()],
    atMs: seconds * 1000 * FIRST + (at + random.between(0, 0.5)) * stepMs,
    holdMs: Math.min(random.between(...HOLD_S) * 1000, stepMs),
  }));
}

/** Lets planned faults strike, each when it is due and the one before is over. */
export async function strikeAll(
  cluster: SimulatedCluster,
  history: History,
  planned: readonly Planned[],
  seed: number,
): Promise<void> {
  const startedMs = performance.now();
  for (const [at, { names, atMs, holdMs }] of planned.entries()) {
    await wait(Math.max(0, startedMs + atMs - performance.now()));
    const random = newRandom(seed + at + 1);
    const strikes = names.map((name) => toStrike(cluster, name, holdMs, random));
    await Promise.all(
      strikes.map(async ({ struck, run }) => {
        history.faults.push(struck);
        await run(struck);
        struck.toMs = Date.now();
      }),
    );
  }
}

type Strike = { readonly struck: Struck; readonly run: (struck: Struck) => Promise<void> };

function toStrike(cluster: SimulatedCluster, name: FaultName, holdMs: number, random: Random): Strike {
  const { fronts, workers, postgres } = cluster;
  const worker = random.oneOf(workers) as Machine;
  const front = random.oneOf(fronts) as Machine;
  const breakage = random.oneOf(BREAKAGES) ?? "silent";
  const parity = Math.floor(random.between(0, 2));
  const toStruck = (target: string, killed: readonly Machine[] = []): Struck => ({
    ...{ name, target, fromMs: Date.now(), toMs: Infinity, freedMs: [] },
    killed: killed.map(({ id }) => id),
  });
  const killing = (machines: readonly Machine[]): Strike => ({
    struck: toStruck(machines.map((machine) => machine.name).join(", "), machines),
    run: (struck) => killAll(cluster, machines, struck),
  });
  const holding = (target: string, begin: () => void, end: () => void): Strike => ({
    struck: toStruck(target),
    async run() {
      begin();
      await wait(holdMs);
      end();
    },
  });
  const stopping = (machine: Machine): Strike =>
    holding(
      machine.name,
      () => machine.signal("SIGSTOP"),
      () => machine.signal("SIGCONT"),
    );
  const cutting = (machine: Machine, relay: Machine["toDatabase"]): Strike =>
    holding(
      `${machine.name}, ${breakage}`,
      () => relay?.breakOff(breakage),
      () => relay?.mend(),
    );
  switch (name) {
    case "kill worker":
      return killing([worker]);
    case "kill all workers":
      return killing(workers);
    case "kill front-end":
      return killing([front]);
    case "stop worker":
      return stopping(worker);
    case "stop front-end":
      return stopping(front);
    case "cut worker off the database":
      return cutting(worker, worker.toDatabase);
    case "cut front-end off the database":
      return cutting(front, front.toDatabase);
    case "cut worker off the front-ends":
      return cutting(worker, worker.fromFronts);
    case "restart database":
      return {
        struck: toStruck("PostgreSQL"),
        async run() {
          await postgres.stop("immediate");
          await postgres.start();
        },
      };
    case "kill backends":
      return {
        struck: toStruck(parity === 0 ? "those with even numbers" : "those with odd numbers"),
        async run() {
          // The database may just restart.
          await postgres
            .query(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname like 'test%' and pid % 2 = ${parity}`,
            )
            .catch(() => {});
        },
      };
  }
}

async function killAll(cluster: SimulatedCluster, machines: readonly Machine[], { freedMs }: Struck): Promise<void> {
  await Promise.all(machines.map((machine) => machine.kill()));
  await Promise.all(
    machines.map(async (machine) => {
      await machine.ready();
      if (machine.role === "worker") freedMs.push(await measureFreed(cluster, machine));
    }),
  );
}

/** How long it takes until the rows of a worker's earlier starts are gone, in ms. */
async function measureFreed({ cluster }: SimulatedCluster, { id }: Machine): Promise<number> {
  const startedMs = performance.now();
  const count = () =>
    cluster
      .query<{ n: number }>(
        `select count(*)::int as n from browsers where worker = '${id}'
          and instance <> (select instance from workers where id = '${id}')`,
      )
      .catch(() => [{ n: Infinity }]);
  await until(count, ([row]) => row?.n === 0, FREED_MS).catch(() => {});
  return performance.now() - startedMs;
}
