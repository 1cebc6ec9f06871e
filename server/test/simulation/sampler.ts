import { readFileSync } from "node:fs";
import { countBrowsers } from "./checks/check-machine.ts";
import type { SimulatedCluster } from "./cluster.ts";
import type { Count, Ms } from "./history.ts";

const SAMPLE_MS = 1000;
/** How often browsers are counted, in ms. */
const COUNT_MS = 3000;
/** Maximum share of time to spend counting. Counting many browsers is slow and blocks the clients. */
const COUNT_SHARE = 1 / 30;
/** The unit of processor times in /proc, on all systems that Node supports. */
const TICKS_PER_S = 100;

export const PARTS = ["front", "worker", "postgres", "clients"] as const;
export type Part = (typeof PARTS)[number];

/** A measurement during a run. */
export type Sample = {
  readonly atMs: Ms;
  readonly live: number;
  /** Average number of processor cores used since the previous sample. */
  readonly cores: Readonly<Record<Part, number>>;
};

/** Takes a sample every second until disposed. */
export class Sampler implements AsyncDisposable {
  readonly samples: Sample[] = [];
  readonly counts: Count[] = [];
  readonly #cluster: SimulatedCluster;
  readonly #countLive: () => number;
  readonly #timer: NodeJS.Timeout;
  readonly #seen = new Map<string, number>();
  #counting = Promise.resolve();
  #countAtMs = 0;
  /** Whether counting is paused so that clients aren't blocked. */
  isQuiet = false;
  #lastMs = Date.now();

  constructor(cluster: SimulatedCluster, countLive: () => number) {
    this.#cluster = cluster;
    this.#countLive = countLive;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#counting;
  }

  #sample(): void {
    const atMs = Date.now();
    const spanMs = atMs - this.#lastMs;
    this.#lastMs = atMs;
    const cores = Object.fromEntries(PARTS.map((part) => [part, this.#usedMs(part) / spanMs])) as Record<Part, number>;
    this.samples.push({ atMs, live: this.#countLive(), cores });
    if (this.isQuiet || performance.now() < this.#countAtMs) return;
    this.#counting = this.#counting.then(() => this.#count());
  }

  async #count(): Promise<void> {
    const { workers, cluster } = this.#cluster;
    const startedMs = performance.now();
    const browsers = countBrowsers(workers);
    const endedMs = performance.now();
    this.#countAtMs = endedMs + Math.max(COUNT_MS, (endedMs - startedMs) / COUNT_SHARE);
    // The database may be restarting.
    const rows = await cluster
      .query<{ worker: string; n: number }>("select worker, count(*)::int as n from browsers group by 1")
      .catch(() => undefined);
    if (rows === undefined) return;
    for (const [at, { id, name }] of workers.entries()) {
      const own = rows.find(({ worker }) => worker === id);
      this.counts.push({ server: name, browsers: browsers[at] ?? 0, rows: own?.n ?? 0 });
    }
  }

  /** Returns the processor time that a component's processes used since the previous call, in ms. */
  #usedMs(part: Part): number {
    const pids = part === "clients" ? [process.pid] : this.#cluster.pids(part);
    return pids.reduce((sum, pid) => {
      const ms = readProcessorMs(pid);
      const key = `${part} ${pid}`;
      const before = this.#seen.get(key) ?? ms;
      this.#seen.set(key, ms);
      return sum + Math.max(0, ms - before);
    }, 0);
  }
}

/** Returns a process's processor time in ms, or 0 if the process has ended. */
function readProcessorMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
  } catch {
    return 0;
  }
}
