import { readFileSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { pid as ownPid } from "node:process";
import type { Bounds, BoundsMaker } from "./bounds.ts";
import { FOLDERS } from "./bubblewrap.ts";

/** How often the broker reads how much memory processes use. Each of them takes 40 µs. */
const READ_EVERY_MS = 1000;

/** Processes are read this often if there may be too many of them. Thousands take a tenth of a second. */
const RECOUNT_EVERY_MS = 250;

/**
 * The memory that belongs to a process alone, with page tables and what was swapped out, its threads, and the child
 * of the broker that it descends from.
 */
type Found = { readonly bytes: number; readonly tasks: number; readonly family: number };

type Seen = ReadonlyMap<number, Found>;

/**
 * Bounds for machines without control groups: the broker looks at the processes once a second, so a program can have more
 * memory for a second. Processors are not shared fairly.
 * @param root The folder that contains all sandbox folders, which are file systems of their own.
 */
export function newWatchedBounds(root: string): BoundsMaker {
  let [seen, readMs, newest, count]: [Seen, number, number, number] = [new Map(), Number.NEGATIVE_INFINITY, 0, 0];
  const look = (everyMs = READ_EVERY_MS): Seen => {
    if (performance.now() - readMs < everyMs) return seen;
    // Before the processes: later ones are counted twice rather than not at all.
    newest = readNewest();
    [seen, readMs] = [readProcesses(), performance.now()];
    count = [...seen.values()].reduce((sum, { tasks }) => sum + tasks, 0);
    return seen;
  };
  return {
    make: async (id, memoryBytes) => new WatchedBounds(join(root, id), memoryBytes, look),
    mayHaveTasks(tasks) {
      const started = readNewest() - newest;
      // Numbers begin again after the highest one.
      if (started >= 0 && count + started < tasks) return false;
      look(RECOUNT_EVERY_MS);
      return count >= tasks;
    },
    async [Symbol.asyncDispose]() {},
  };
}

class WatchedBounds implements Bounds {
  readonly entrances = [];
  readonly countsSharedMemory = false;
  readonly #folder: string;
  readonly #look: () => Seen;
  readonly #added = new Set<number>();
  #memoryBytes: number;

  constructor(folder: string, memoryBytes: number, look: () => Seen) {
    this.#folder = folder;
    this.#memoryBytes = memoryBytes;
    this.#look = look;
  }

  async add(pid: number): Promise<void> {
    this.#added.add(pid);
  }

  async limit(memoryBytes: number): Promise<void> {
    this.#memoryBytes = memoryBytes;
  }

  weigh(): void {}

  isOverMemory(): boolean {
    const seen = this.#look();
    let bytes = readUsed(this.#folder) + readUsed(join(this.#folder, FOLDERS.shared));
    for (const found of this.#find(seen)) bytes += found.bytes;
    return bytes > this.#memoryBytes;
  }

  countTasks(): number {
    return this.#find(this.#look()).reduce((sum, { tasks }) => sum + tasks, 0);
  }

  /** Its own processes among all. */
  #find(seen: Seen): Found[] {
    const families = new Set([...this.#added].map((pid) => seen.get(pid)?.family));
    return [...seen.values()].filter(({ family }) => families.has(family));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#added.clear();
  }
}

/** All processes below the broker: it sees no others, because it is the first process of its namespace. */
function readProcesses(): Seen {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = new Map(pids.map((name) => [Number(name), readStatus(name)] as const));
  const familyOf = (pid: number): number => {
    const parent = all.get(pid)?.parent ?? ownPid;
    return parent === ownPid || parent === 0 ? pid : familyOf(parent);
  };
  return new Map([...all].map(([pid, { bytes, tasks }]) => [pid, { bytes, tasks, family: familyOf(pid) }]));
}

/** The number of the last process or thread that was started below the broker: proc_loadavg(5). */
function readNewest(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Zero for a process that has ended. */
function readStatus(pid: string): { readonly parent: number; readonly bytes: number; readonly tasks: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    const bytes = (read("RssAnon") + read("VmSwap") + read("VmPTE")) * 1024;
    return { parent: read("PPid"), bytes, tasks: read("Threads") };
  } catch {
    return { parent: ownPid, bytes: 0, tasks: 0 };
  }
}

/** What is stored in the file system at a folder; 0 if it has gone. */
function readUsed(folder: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(folder);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}
