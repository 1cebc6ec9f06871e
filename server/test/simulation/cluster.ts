import { setTimeout as wait } from "node:timers/promises";
import { type Cluster, startCluster } from "../support/deployment.ts";
import type { Postgres } from "../support/postgres.ts";
import type { RealServer } from "../support/real-server.ts";
import { descendants, listProcesses } from "../support/processes.ts";

/** How soon a server that has ended is started again, as by systemd. */
const RESTART_MS = 500;
/** What the last lines of a server's log may have, in characters. */
const LOG_TAIL = 2000;

/** A front-end or a worker, which is started again whenever it ends. */
export type Machine = {
  readonly role: "front" | "worker";
  readonly name: string;
  /** The id in the addresses of a worker's browsers. */
  readonly id: string;
  readonly url: URL;
  /** Of the process that runs now, or ran last. */
  readonly pid: () => number;
  readonly server: () => RealServer;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills it. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Resolves when it runs again. */
  ready(): Promise<void>;
};

export type SimulatedCluster = AsyncDisposable & {
  readonly postgres: Postgres;
  readonly cluster: Cluster;
  readonly fronts: readonly Machine[];
  readonly workers: readonly Machine[];
  /** Servers that ended although nothing had killed them, a sentence each. */
  readonly mistakes: readonly string[];
  /** The processes of all servers of a kind. */
  pids(part: "front" | "worker" | "postgres"): readonly number[];
  /** Servers that end from now on stay down. */
  stopRestarting(): void;
};

export async function startSimulatedCluster(
  postgres: Postgres,
  size: { readonly fronts: number; readonly workers: number; readonly capacity: number },
): Promise<SimulatedCluster> {
  await using acquired = new AsyncDisposableStack();
  const cluster = acquired.use(
    await startCluster(postgres, size, {
      all: { RBS_LOG_LEVEL: "warn" },
      worker: { RBS_CAPACITY: String(size.capacity), RBS_LAUNCHES: "64" },
    }),
  );
  const rows = await cluster.query<{ id: string; report: string }>("select id, report from workers");
  const findId = (url: URL): string =>
    rows.find(({ report }) => (JSON.parse(report) as { url?: string }).url?.startsWith(url.origin))?.id ?? "";
  const mistakes: string[] = [];
  const state = { isOver: false };
  const supervise = (role: Machine["role"], index: number): Machine => {
    const server = (): RealServer => (role === "front" ? cluster.fronts : cluster.workers)[index] as RealServer;
    const name = `${role} ${index + 1}`;
    const { url } = server();
    let isWanted = false;
    let running = Promise.resolve();
    const watch = (): void => {
      void server().ended.then(({ code, signal, stderr }) => {
        if (state.isOver) return;
        if (!isWanted) mistakes.push(`The ${name} ended by itself (${code ?? signal}): ${stderr.slice(-LOG_TAIL)}`);
        isWanted = false;
        running = restart();
        running.catch((error: unknown) => mistakes.push(`The ${name} did not start again: ${String(error)}`));
      });
    };
    const restart = async (): Promise<void> => {
      await wait(RESTART_MS);
      await (role === "front" ? cluster.restartFront(index) : cluster.restartWorker(index));
      watch();
    };
    watch();
    return {
      role,
      name,
      url,
      id: role === "worker" ? findId(url) : "",
      pid: () => server().pid,
      server,
      signal: (signal) => server().signal(signal),
      async kill() {
        isWanted = true;
        server().signal("SIGKILL");
        await server().ended;
      },
      ready: () => running,
    };
  };
  const fronts = cluster.fronts.map((_, index) => supervise("front", index));
  const workers = cluster.workers.map((_, index) => supervise("worker", index));
  const resources = acquired.move();
  return {
    postgres,
    cluster,
    fronts,
    workers,
    mistakes,
    pids(part) {
      if (part !== "postgres") return (part === "front" ? fronts : workers).map(({ pid }) => pid());
      return [postgres.pid, ...descendants(listProcesses(), postgres.pid).map(({ pid }) => pid)];
    },
    stopRestarting: () => void (state.isOver = true),
    async [Symbol.asyncDispose]() {
      state.isOver = true;
      await Promise.allSettled([...fronts, ...workers].map((machine) => machine.ready()));
      await resources.disposeAsync();
    },
  };
}
