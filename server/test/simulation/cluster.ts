import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, startCluster } from "../support/servers/deployment.ts";
import { OWN_TIME, toFakeTime, toOffset } from "../support/machine/fake-time.ts";
import type { Postgres } from "../support/databases/postgres.ts";
import type { RealServer } from "../support/servers/real-server.ts";
import type { Network, NetworkMachine } from "../support/machine/network.ts";
import { descendants, listProcesses } from "../support/machine/processes.ts";
import { type Machine, supervise } from "./machine.ts";

export type SimulatedCluster = AsyncDisposable & {
  readonly postgres: Postgres;
  readonly cluster: Cluster;
  readonly fronts: readonly Machine[];
  readonly workers: readonly Machine[];
  /** Unexpected server exits, one sentence each. */
  readonly mistakes: readonly string[];
  /** The addresses that clients connect from. */
  readonly clientAddresses: readonly string[];
  /** Returns the process ids of all servers with the given role. */
  pids(part: "front" | "worker" | "postgres"): readonly number[];
  /** Stops restarting servers that exit. */
  stopRestarting(): void;
};

/** This machine's addresses, each of which has about 28,000 ports for connections to a front-end. */
const CLIENT_ADDRESSES = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"] as const;

/**
 * @param size.network A network for the servers, so that their connections can be broken.
 * @param size.hasClocks Whether the servers' clocks can be changed, which requires libfaketime.
 * @param size.startMs Average time that browsers take to start.
 */
export async function startSimulatedCluster(
  postgres: Postgres,
  size: {
    readonly fronts: number;
    readonly workers: number;
    readonly capacity: number;
    readonly network: Network | undefined;
    readonly hasClocks: boolean;
    readonly startMs: number;
  },
): Promise<SimulatedCluster> {
  await using acquired = new AsyncDisposableStack();
  const { network } = size;
  const places = {
    front: Array.from({ length: size.fronts }, () => network?.add()),
    worker: Array.from({ length: size.workers }, () => network?.add()),
  };
  const clocks = mkdtempSync(join(tmpdir(), "rbs-clocks-"));
  acquired.defer(() => rmSync(clocks, { recursive: true }));
  // Each server reads its own clock file in this folder.
  chmodSync(clocks, 0o755);
  const toClock = (role: Machine["role"], index: number): string => join(clocks, `${role}-${index}`);
  const setClock = (file: string, offsetS: number): void => writeFileSync(file, toOffset(OWN_TIME.offsetS + offsetS));
  const cluster = acquired.use(
    await startCluster(postgres, size, {
      machine: (role, index) => places[role][index],
      ...(network && { databaseHost: network.addresses[0] }),
      all: OWN_TIME.environment,
      fakeArgs: ["--start-ms", String(size.startMs)],
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
    return supervise({
      ...{ role, name, url, server },
      id: role === "worker" ? findId(url.origin) : name,
      breakOff(from, how) {
        if (network === undefined) throw new Error("Breaking connections requires a network.");
        const fronts = places.front.flatMap((place) => place?.address ?? []);
        return (places[role][index] as NetworkMachine).breakOff(
          how,
          from === "database"
            ? { remotes: network.addresses, remotePort: postgres.port }
            : { remotes: fronts, ownPort: Number(url.port) },
        );
      },
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
    clientAddresses: network?.addresses ?? CLIENT_ADDRESSES,
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
