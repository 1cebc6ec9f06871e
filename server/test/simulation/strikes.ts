import { setTimeout as wait } from "node:timers/promises";
import { type Random, newRandom } from "../faults/random.ts";
import type { Breakage } from "../support/machine/network.ts";
import { kill } from "../support/machine/processes.ts";
import { until } from "../support/until.ts";
import type { SimulatedCluster } from "./cluster.ts";
import type { FaultName, Planned } from "./faults.ts";
import type { History, Struck } from "./history.ts";
import type { Machine } from "./machine.ts";

/** Time limit for closing a worker's old rows, in ms. Exceeding the limit is always a violation. */
const FREED_MS = 30_000;
const BREAKAGES: readonly Breakage[] = ["silent", "deaf", "cut", "refusing"];
/** How far a clock moves forwards or backwards, in seconds. */
export const CLOCK_S = 600;

/**
 * Changes that a later version makes to the tables before its servers start, and that this version must tolerate the
 * changes.
 */
const EXPAND = `alter table accounts add column if not exists later text;
  insert into kysely_migration (name, timestamp) values ('9999-expand-later', '2026-01-01T00:00:00.000Z') on conflict do nothing`;

/** Runs the planned faults. Each fault starts once it is due and the previous fault has ended. */
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

/** A fault and the function that causes it. */
type Strike = { readonly struck: Struck; readonly run: (struck: Struck) => Promise<void> };

/** Chooses the target of a fault. */
function toStrike(cluster: SimulatedCluster, name: FaultName, holdMs: number, random: Random): Strike {
  const { fronts, workers, postgres } = cluster;
  const worker = random.oneOf(workers) as Machine;
  const front = random.oneOf(fronts) as Machine;
  const breakage = random.oneOf(BREAKAGES) ?? "silent";
  const parity = Math.floor(random.between(0, 2));
  const toStruck = (target: string, cut: readonly Machine[] = [], killed: readonly Machine[] = []): Struck => ({
    ...{ name, target, fromMs: Date.now(), toMs: Infinity, freedMs: [] },
    cuts: cut.map(({ id }) => id),
    killed: killed.map(({ id }) => id),
  });
  const killing = (machines: readonly Machine[]): Strike => ({
    struck: toStruck(machines.map((machine) => machine.name).join(", "), machines, machines),
    run: (struck) => killAll(cluster, machines, struck),
  });
  /** Returns a strike that calls `begin`, waits for `holdMs`, and disposes of the result. */
  const holding = (struck: Struck, begin: () => Disposable): Strike => ({
    struck,
    async run() {
      using _ = begin();
      await wait(holdMs);
    },
  });
  const stopping = (machine: Machine): Strike =>
    holding(toStruck(machine.name), () => {
      machine.signal("SIGSTOP");
      return { [Symbol.dispose]: () => machine.signal("SIGCONT") };
    });
  const cutting = (machine: Machine, from: "database" | "front-ends"): Strike =>
    holding(toStruck(`${machine.name}, ${breakage}`, from === "database" ? [] : [machine]), () =>
      machine.breakOff(from, breakage),
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
    case "cut worker off from the database":
      return cutting(worker, "database");
    case "cut front-end off from the database":
      return cutting(front, "database");
    case "cut worker off from the front-ends":
      return cutting(worker, "front-ends");
    case "restart database":
      return {
        struck: toStruck("PostgreSQL"),
        async run() {
          await postgres.stop("immediate");
          await postgres.start();
        },
      };
    case "kill backend":
      return { struck: toStruck("PostgreSQL"), run: () => killBackend(cluster, random) };
    case "terminate backends":
      return {
        struck: toStruck(parity === 0 ? "backends with even PIDs" : "backends with odd PIDs"),
        async run() {
          // The database may be restarting.
          await postgres.query(`select pg_terminate_backend(pid) ${BACKENDS} and pid % 2 = ${parity}`).catch(() => {});
        },
      };
    case "fill database disk":
      return {
        struck: toStruck("PostgreSQL"),
        async run() {
          const full = postgres.fillDisk();
          await wait(holdMs);
          full[Symbol.dispose]();
          await postgres.start();
        },
      };
    case "move clock": {
      const database = { name: "PostgreSQL", setClock: (offsetS: number) => postgres.setClock(offsetS) };
      const machine = random.oneOf([...fronts, ...workers, database]) ?? database;
      const offsetS = parity === 0 ? CLOCK_S : -CLOCK_S;
      return holding(toStruck(`${machine.name}, ${offsetS} s`), () => {
        machine.setClock(offsetS);
        return { [Symbol.dispose]: () => machine.setClock(0) };
      });
    }
    case "upgrade":
      return {
        struck: toStruck("all front-ends and workers", fronts),
        run: () => upgrade(cluster, holdMs),
      };
  }
}

const BACKENDS = "from pg_stat_activity where datname like 'test%' and pid <> pg_backend_pid()";

/** Kills a backend, as the kernel does when memory is low. PostgreSQL then terminates all backends and recovers. */
async function killBackend({ postgres }: SimulatedCluster, random: Random): Promise<void> {
  // The database may be restarting.
  const backends = await postgres.query<{ pid: number }>(`select pid ${BACKENDS} order by pid`).catch(() => []);
  const backend = random.oneOf(backends);
  if (backend !== undefined) kill(backend);
  await postgres.start();
}

/**
 * Changes the tables, restarts the front-ends one by one, and drains the workers one by one. A drained worker restarts
 * when it has no browsers. After a while, all workers but the last are uncordoned, because clients keep browsers open
 * for longer than that.
 */
async function upgrade({ cluster, fronts, workers }: SimulatedCluster, holdMs: number): Promise<void> {
  const again = <T>(call: () => Promise<T>): Promise<boolean> =>
    until(
      () =>
        call().then(
          () => true,
          () => false,
        ),
      (isDone) => isDone,
    );
  await again(() => cluster.query(EXPAND));
  for (const front of fronts) {
    await front.ready();
    await front.end("SIGTERM");
    await front.ready();
  }
  for (const worker of workers) {
    worker.expectStop();
    await again(() => cluster.account("worker", "drain", "--id", worker.id));
    if (worker === workers.at(-1)) return;
    await wait(holdMs / workers.length);
    await again(() => cluster.account("worker", "uncordon", "--id", worker.id));
  }
}

async function killAll(cluster: SimulatedCluster, machines: readonly Machine[], { freedMs }: Struck): Promise<void> {
  await Promise.all(machines.map((machine) => machine.end("SIGKILL")));
  await Promise.all(
    machines.map(async (machine) => {
      await machine.ready();
      if (machine.role === "worker") freedMs.push(await measureFreed(cluster, machine));
    }),
  );
}

/** Returns the time until the rows from a worker's earlier runs are closed, in ms. */
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
