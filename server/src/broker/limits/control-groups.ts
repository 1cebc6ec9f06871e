import { accessSync, closeSync, constants, existsSync, openSync, readSync, writeFileSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Bounds, type BoundsMaker, MAX_TASKS } from "../bounds.ts";

/** Existing folders that contain the control groups of all sandboxes; a single folder in version 2 of cgroups(7). */
export type GroupTree = {
  readonly version: 1 | 2;
  readonly memory: string;
  readonly pids: string;
  readonly cpu: string;
};

/** Maximum wait for a group's processes to end. On a slow, busy machine, ending thousands takes a minute. */
const REMOVE_MS = 300_000;
/** The pause between attempts: its minimum in ms, and its share of the time waited so far. */
const [MIN_PAUSE_MS, PAUSE_SHARE] = [5, 0.05];

/**
 * Names of a group's files. In `kills`, the kernel counts processes that it ended because the group was out of memory.
 * Only version 1 has a separate limit for TCP and UDP buffers, which count as memory in version 2.
 */
export const GROUP_FILES = {
  1: {
    memory: "memory.limit_in_bytes",
    tcp: "memory.kmem.tcp.limit_in_bytes",
    weight: "cpu.shares",
    kills: "memory.oom_control",
  },
  2: { memory: "memory.max", tcp: undefined, weight: "cpu.weight", kills: "memory.events" },
} as const;

/** Disables swap. In version 2, if a group runs out of memory, all its processes end, not only one. */
const FIXED: Readonly<Record<1 | 2, Readonly<Record<string, number>>>> = {
  1: { "memory.swappiness": 0 },
  2: { "memory.swap.max": 0, "memory.oom.group": 1 },
};

/** Share of a sandbox's memory for socket buffers. Pages need less, and the total stays below the kernel's limit. */
const TCP_SHARE = 1 / 16;

/** The lowest value of `cpu.shares`. */
const MIN_WEIGHT = 2;

/**
 * In version 1, this file moves single threads. A process can move itself in 0.2 ms. Moving another process takes 2 to
 * 15 ms, because the kernel waits until no process on the machine is forking.
 */
const THREADS = "tasks";

/** Creates control groups for sandboxes. Disposing removes their parent groups and never throws. */
export class ControlGroups implements BoundsMaker {
  readonly #tree: GroupTree;
  /** Whether a process of this user can move from this process's groups to a sandbox's groups. */
  readonly #canEnter: boolean;
  readonly #tasks: Count;

  constructor(tree: GroupTree) {
    this.#tree = tree;
    const own = toFolders(tree).map((folder) => dirname(folder));
    this.#canEnter = own.every((folder) => isWritable(join(folder, THREADS)));
    this.#tasks = openTasks(tree);
  }

  async make(id: string, memoryBytes: number): Promise<Bounds> {
    const { version, memory, pids, cpu } = this.#tree;
    const own = { version, memory: join(memory, id), pids: join(pids, id), cpu: join(cpu, id) };
    await using acquired = new AsyncDisposableStack();
    for (const folder of toFolders(own)) {
      await mkdir(folder);
      acquired.defer(() => remove(folder));
    }
    for (const [file, value] of Object.entries(FIXED[version])) {
      // Kernels that don't count swap lack some files.
      if (existsSync(join(own.memory, file))) await write(own.memory, file, value);
    }
    await write(own.pids, "pids.max", MAX_TASKS);
    const kills = acquired.use(openCount(join(own.memory, GROUP_FILES[version].kills), /^oom_kill (\d+)$/m));
    const group = toGroup(own, this.#canEnter, { kills, tasks: acquired.use(openTasks(own)) });
    await group.limit(memoryBytes);
    const resources = acquired.move();
    return { ...group, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  mayHaveTasks(tasks: number): boolean {
    return this.#tasks.read() >= tasks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tasks[Symbol.dispose]();
    for (const folder of toFolders(this.#tree)) await remove(folder);
  }
}

/** Reads a number from a group's file; 0 if the group was removed. Takes 5 µs, because the file stays open. */
type Count = Disposable & { read(): number };

function openCount(file: string, pattern: RegExp): Count {
  const [fd, text] = [openSync(file, "r"), Buffer.alloc(256)];
  let isOpen = true;
  return {
    read() {
      if (!isOpen) return 0;
      try {
        const [, count] = pattern.exec(text.toString("latin1", 0, readSync(fd, text, 0, text.length, 0))) ?? [];
        return Number(count);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENODEV") return 0;
        throw error;
      }
    },
    [Symbol.dispose]() {
      isOpen = false;
      closeSync(fd);
    },
  };
}

function toGroup(
  tree: GroupTree,
  canEnter: boolean,
  { kills, tasks }: Readonly<Record<"kills" | "tasks", Pick<Count, "read">>>,
): Omit<Bounds, typeof Symbol.asyncDispose> {
  const files = GROUP_FILES[tree.version];
  return {
    countsSharedMemory: true,
    entrances: canEnter ? toFolders(tree).map((folder) => join(folder, THREADS)) : [],
    async add(pid) {
      for (const folder of toFolders(tree)) await write(folder, "cgroup.procs", pid);
    },
    limit: (memoryBytes) => limitMemory(tree, memoryBytes),
    // Synchronous (50 µs), so that successive weights are written in order.
    weigh: (weight) => writeFileSync(join(tree.cpu, files.weight), String(Math.max(MIN_WEIGHT, weight))),
    isOverMemory: () => kills.read() > 0,
    countTasks: () => tasks.read(),
  };
}

function openTasks({ pids }: GroupTree): Count {
  return openCount(join(pids, "pids.current"), /^(\d+)/);
}

/** Limits the memory of a group's programs and, in version 1, of their socket buffers. */
export async function limitMemory(
  { version, memory }: Pick<GroupTree, "version" | "memory">,
  bytes: number,
): Promise<void> {
  const files = GROUP_FILES[version];
  await write(memory, files.memory, bytes);
  // Kernels without this file don't count socket buffers.
  if (files.tcp !== undefined && existsSync(join(memory, files.tcp)))
    await write(memory, files.tcp, Math.floor(bytes * TCP_SHARE));
}

export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns a group's folders without duplicates. */
function toFolders({ memory, pids, cpu }: GroupTree): readonly string[] {
  return [...new Set([memory, pids, cpu])];
}

async function write(folder: string, file: string, value: number): Promise<void> {
  await writeFile(join(folder, file), String(value));
}

/** Never throws: the next server removes remaining groups. */
async function remove(folder: string): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const waitedMs = performance.now() - startedMs;
    try {
      return await rmdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY" || waitedMs > REMOVE_MS) return;
    }
    await wait(Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE));
  }
}
