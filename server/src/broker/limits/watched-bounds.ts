import { readFileSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { pid as ownPid } from "node:process";
import type { Bounds, BoundsMaker } from "../bounds.ts";
import { FOLDERS } from "../bubblewrap.ts";

/** How often the broker reads how much memory processes use. Each of them takes 40 µs. */
const READ_EVERY_MS = 1000;

/**
 * If there may be too many processes, they are read again after this many times what the last reading took. Thousands
 * take a tenth of a second.
 */
const PAUSE_FACTOR = 2;

/** The memory that processes have alone, with page tables and what was swapped out, and their threads. */
type Used = { readonly bytes: number; readonly tasks: number };

const NOTHING: Used = { bytes: 0, tasks: 0 };

/** A family is a child of the broker with all its descendants, and has the child's number. */
type Seen = {
  readonly families: ReadonlyMap<number, number>;
  readonly used: ReadonlyMap<number, Used>;
  readonly tasks: number;
};

/**
 * Bounds for machines without control groups: the broker looks at the processes once a second, so a program can have
 * more memory for a second. Processors are not shared fairly.
 * @param root The folder that contains all sandbox folders, which are file systems of their own.
 */
export function newWatchedBounds(root: string): BoundsMaker {
  let seen: Seen = { families: new Map(), used: new Map(), tasks: 0 };
  let [readMs, tookMs, newest] = [Number.NEGATIVE_INFINITY, 0, 0];
  const look = (everyMs = READ_EVERY_MS): Seen => {
    const startedMs = performance.now();
    if (startedMs - readMs < everyMs) return seen;
    // Before the processes: later ones are counted twice rather than not at all.
    newest = readNewest();
    seen = readProcesses();
    readMs = performance.now();
    tookMs = readMs - startedMs;
    return seen;
  };
  return {
    make: async (id, memoryBytes) => toBounds(join(root, id), memoryBytes, look),
    mayHaveTasks(tasks) {
      const started = readNewest() - newest;
      // Numbers begin again after the highest one.
      if (started >= 0 && seen.tasks + started < tasks) return false;
      return look(PAUSE_FACTOR * tookMs).tasks >= tasks;
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** @param folder The sandbox's folder. */
function toBounds(folder: string, memoryBytes: number, look: () => Seen): Bounds {
  const added = new Set<number>();
  let most = memoryBytes;
  /** What its own processes use. */
  const sum = (): Used => {
    const { families, used } = look();
    const own = new Set([...added].flatMap((pid) => families.get(pid) ?? []));
    return [...own].map((family) => used.get(family) ?? NOTHING).reduce(add, NOTHING);
  };
  return {
    entrances: [],
    countsSharedMemory: false,
    async add(pid) {
      added.add(pid);
    },
    async limit(bytes) {
      most = bytes;
    },
    weigh() {},
    isOverMemory: () => readUsed(folder) + readUsed(join(folder, FOLDERS.shared)) + sum().bytes > most,
    countTasks: () => sum().tasks,
    async [Symbol.asyncDispose]() {
      added.clear();
    },
  };
}

/** All processes below the broker: it sees no others, because it is the first process of its namespace. */
function readProcesses(): Seen {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = new Map(pids.map((name) => [Number(name), readStatus(name)] as const));
  const [families, used] = [new Map<number, number>(), new Map<number, Used>()];
  const findFamily = (pid: number): number => {
    const parent = all.get(pid)?.parent ?? ownPid;
    const family = families.get(pid) ?? (parent === ownPid || parent === 0 ? pid : findFamily(parent));
    families.set(pid, family);
    return family;
  };
  for (const [pid, each] of all) {
    const family = findFamily(pid);
    used.set(family, add(used.get(family) ?? NOTHING, each));
  }
  return { families, used, tasks: [...used.values()].reduce((sum, { tasks }) => sum + tasks, 0) };
}

function add(one: Used, other: Used): Used {
  return { bytes: one.bytes + other.bytes, tasks: one.tasks + other.tasks };
}

/** The number of the last process or thread that was started below the broker: proc_loadavg(5). */
function readNewest(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Zero for a process that has ended. */
function readStatus(pid: string): Used & { readonly parent: number } {
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
