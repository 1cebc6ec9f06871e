import { readFileSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { pid as ownPid } from "node:process";
import type { Bounds, BoundsMaker } from "../bounds.ts";
import { FOLDERS } from "../bubblewrap.ts";

/** How often the broker reads the memory usage of processes, which takes 40 µs per process. */
const READ_EVERY_MS = 1000;

/** The pause between readings if there are too many processes, as a multiple of the last reading's duration. */
const PAUSE_FACTOR = 2;

/** Private memory of processes, including page tables and swap, and their number of threads. */
type Used = { readonly bytes: number; readonly tasks: number };

const NOTHING: Used = { bytes: 0, tasks: 0 };

/** A family is a child process of the broker and all its descendants, identified by the child's process id. */
type Seen = {
  readonly families: ReadonlyMap<number, number>;
  readonly used: ReadonlyMap<number, Used>;
  readonly tasks: number;
};

/**
 * Creates bounds on machines without control groups. The broker reads the processes once a second, so a program can
 * exceed its memory limit for a second. Processor time isn't shared fairly.
 * @param root The folder that contains all sandbox folders, each with its own file system.
 */
export function newWatchedBounds(root: string): BoundsMaker {
  let seen: Seen = { families: new Map(), used: new Map(), tasks: 0 };
  let [readMs, tookMs, newest] = [Number.NEGATIVE_INFINITY, 0, 0];
  const look = (everyMs = READ_EVERY_MS): Seen => {
    const startedMs = performance.now();
    if (startedMs - readMs < everyMs) return seen;
    // Read before the processes, so that new processes are counted twice rather than not at all.
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
      // Process numbers wrap around.
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

/** Reads all processes below the broker. As the first process of its namespace, the broker can't see any others. */
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

/** Returns the number of the last process or thread started below the broker: proc_loadavg(5). */
function readNewest(): number {
  return Number(readFileSync("/proc/loadavg", "latin1").trim().split(" ").at(-1));
}

/** Returns zeros for a process that has ended. */
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

/** Returns the used bytes of a folder's file system; 0 if the folder no longer exists. */
function readUsed(folder: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(folder);
    return (blocks - bfree) * bsize;
  } catch {
    return 0;
  }
}
