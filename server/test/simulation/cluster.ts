import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, type ClusterPath, startCluster } from "../support/deployment.ts";
import { OWN_TIME, toFakeTime, toOffset } from "../support/fake-time.ts";
import type { Postgres } from "../support/postgres.ts";
import type { RealServer } from "../support/real-server.ts";
import { type TcpRelay, openTcpRelay } from "../support/tcp-relay.ts";
import { descendants, listProcesses } from "../support/processes.ts";
import { type Machine, supervise } from "./machine.ts";

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

/**
 * @param size.hasRelays Whether its connections can be broken, which costs processor time.
 * @param size.hasClocks Whether the clocks of its servers can be moved, which needs libfaketime.
 */
export async function startSimulatedCluster(
  postgres: Postgres,
  size: {
    readonly fronts: number;
    readonly workers: number;
    readonly capacity: number;
    readonly hasRelays: boolean;
    readonly hasClocks: boolean;
  },
): Promise<SimulatedCluster> {
  await using acquired = new AsyncDisposableStack();
  const relays = new Map<string, TcpRelay>();
  const lead = async ({ role, index, to }: ClusterPath, url: URL): Promise<URL> => {
    if (!size.hasRelays) return url;
    const relay = acquired.use(await openTcpRelay(url));
    relays.set(`${role} ${index} ${to}`, relay);
    return relay.url;
  };
  const clocks = mkdtempSync(join(tmpdir(), "rbs-clocks-"));
  acquired.defer(() => rmSync(clocks, { recursive: true }));
  // Each server reads its file.
  chmodSync(clocks, 0o755);
  const toClock = (role: Machine["role"], index: number): string => join(clocks, `${role}-${index}`);
  const setClock = (file: string, offsetS: number): void => writeFileSync(file, toOffset(OWN_TIME.offsetS + offsetS));
  const cluster = acquired.use(
    await startCluster(postgres, size, {
      lead,
      all: OWN_TIME.environment,
      worker: { RBS_CAPACITY: String(size.capacity), RBS_LAUNCHES: "64" },
      each(role, index) {
        if (!size.hasClocks) return {};
        const file = toClock(role, index);
        setClock(file, 0);
        return toFakeTime(file);
      },
    }),
  );
  const rows = await cluster.query<{ id: string; report: string }>("select id, report from workers");
  const findId = (origin: string): string =>
    rows.find(({ report }) => (JSON.parse(report) as { url?: string }).url?.startsWith(origin))?.id ?? "";
  const mistakes: string[] = [];
  const state = { isOver: false };
  const toMachine = (role: Machine["role"], index: number): Machine => {
    const server = (): RealServer => (role === "front" ? cluster.fronts : cluster.workers)[index] as RealServer;
    const name = `${role} ${index + 1}`;
    const { url } = server();
    const fromFronts = relays.get(`${role} ${index} worker`);
    return supervise({
      ...{ role, name, url, server, fromFronts },
      id: role === "worker" ? findId((fromFronts?.url ?? url).origin) : name,
      toDatabase: relays.get(`${role} ${index} database`),
      setClock: (offsetS) => setClock(toClock(role, index), offsetS),
      start: () => (role === "front" ? cluster.restartFront(index) : cluster.restartWorker(index)),
      isOver: () => state.isOver,
      onMistake: (mistake) => void mistakes.push(mistake),
    });
  };
  const fronts = cluster.fronts.map((_, index) => toMachine("front", index));
  const workers = cluster.workers.map((_, index) => toMachine("worker", index));
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
