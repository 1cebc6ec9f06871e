import { setTimeout as wait } from "node:timers/promises";
import { type Cluster, type ClusterPath, startCluster } from "../support/deployment.ts";
import type { Postgres } from "../support/postgres.ts";
import type { RealServer } from "../support/real-server.ts";
import { type TcpRelay, openTcpRelay } from "../support/tcp-relay.ts";
import { descendants, listProcesses } from "../support/processes.ts";

/** How soon a server that has ended is started again, as by systemd. */
const RESTART_MS = 500;
/** Faults last for less than these starts take. */
const START_TRIES = 40;
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
  /** Its connections to the database, and those of front-ends to a worker; undefined: they are not led through a relay. */
  readonly toDatabase: TcpRelay | undefined;
  readonly fromFronts: TcpRelay | undefined;
};

export type SimulatedCluster = AsyncDisposable & {
  readonly postgres: Postgres;
  readonly cluster: Cluster;
  readonly fronts: readonly Machine[];
  readonly workers: readonly Machine[];
  /** Servers that ended although nothing had killed them, a sentence each. */
  readonly mistakes: readonly string[];
  /** The ports at which servers reach the database. */
  readonly databasePorts: ReadonlySet<number>;
  /** The processes of all servers of a kind. */
  pids(part: "front" | "worker" | "postgres"): readonly number[];
  /** Servers that end from now on stay down. */
  stopRestarting(): void;
};

/** @param size.hasRelays Whether its connections can be broken, which costs processor time. */
export async function startSimulatedCluster(
  postgres: Postgres,
  size: { readonly fronts: number; readonly workers: number; readonly capacity: number; readonly hasRelays: boolean },
): Promise<SimulatedCluster> {
  await using acquired = new AsyncDisposableStack();
  const relays = new Map<string, TcpRelay>();
  const lead = async ({ role, index, to }: ClusterPath, url: URL): Promise<URL> => {
    if (!size.hasRelays) return url;
    const relay = acquired.use(await openTcpRelay(url));
    relays.set(`${role} ${index} ${to}`, relay);
    return relay.url;
  };
  const cluster = acquired.use(
    await startCluster(postgres, size, {
      lead,
      worker: { RBS_CAPACITY: String(size.capacity), RBS_LAUNCHES: "64" },
    }),
  );
  const rows = await cluster.query<{ id: string; report: string }>("select id, report from workers");
  const findId = (origin: string): string =>
    rows.find(({ report }) => (JSON.parse(report) as { url?: string }).url?.startsWith(origin))?.id ?? "";
  const mistakes: string[] = [];
  const state = { isOver: false };
  const supervise = (role: Machine["role"], index: number): Machine => {
    const server = (): RealServer => (role === "front" ? cluster.fronts : cluster.workers)[index] as RealServer;
    const name = `${role} ${index + 1}`;
    const { url } = server();
    const fromFronts = relays.get(`${role} ${index} worker`);
    let isWanted = false;
    let running = Promise.resolve();
    let lastError: unknown;
    const watch = (): void => {
      void server().ended.then(({ code, signal, stderr }) => {
        if (state.isOver) return;
        if (!isWanted) mistakes.push(`The ${name} ended by itself (${code ?? signal}): ${stderr.slice(-LOG_TAIL)}`);
        isWanted = false;
        running = restart();
      });
    };
    const restart = async (): Promise<void> => {
      const start = () => (role === "front" ? cluster.restartFront(index) : cluster.restartWorker(index));
      for (let tries = START_TRIES; tries > 0; tries -= 1) {
        await wait(RESTART_MS);
        // Without the database, it doesn't start.
        if (
          await start().then(
            () => true,
            (error: unknown) => void (lastError = error),
          )
        )
          return watch();
      }
      mistakes.push(`The ${name} did not start again: ${String(lastError)}`);
    };
    watch();
    return {
      role,
      name,
      url,
      id: role === "worker" ? findId((fromFronts?.url ?? url).origin) : "",
      toDatabase: relays.get(`${role} ${index} database`),
      fromFronts,
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
    databasePorts: new Set([
      postgres.port,
      ...[...fronts, ...workers].map(({ toDatabase }) => Number(toDatabase?.url.port)),
    ]),
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
