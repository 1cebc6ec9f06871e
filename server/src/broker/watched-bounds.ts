import { readFileSync, readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { pid as ownPid } from "node:process";
import type { Bounds, BoundsMaker } from "./bounds.ts";
import { SHARED } from "./memory-folders.ts";

/** How often the broker reads how much memory processes use. Each of them takes 40 µs. */
const READ_EVERY_MS = 1000;

/** The memory that belongs to a process alone, and the child of the broker that it descends from. */
type Found = { readonly bytes: number; readonly family: number };

type Seen = ReadonlyMap<number, Found>;

/**
 * Bounds for machines without control groups: the broker looks at the processes once a second, so a program can have more
 * memory for a second. Processors are not shared fairly.
 * @param root The folder that contains all sandbox folders, which are file systems of their own.
 */
export function newWatchedBounds(root: string): BoundsMaker {
  let [seen, readMs]: [Seen, number] = [new Map(), Number.NEGATIVE_INFINITY];
  const look = (): Seen => {
    const nowMs = performance.now();
    if (nowMs - readMs >= READ_EVERY_MS) [seen, readMs] = [readProcesses(), nowMs];
    return seen;
  };
  return {
    make: async (id, memoryBytes) => new WatchedBounds(join(root, id), memoryBytes, look),
    async [Symbol.asyncDispose]() {},
  };
}

class WatchedBounds implements Bounds {
  readonly entrances = [];
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
    const families = new Set([...this.#added].map((pid) => seen.get(pid)?.family));
    let bytes = readUsed(this.#folder) + readUsed(join(this.#folder, SHARED));
    for (const found of seen.values()) if (families.has(found.family)) bytes += found.bytes;
    return bytes > this.#memoryBytes;
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
  return new Map([...all].map(([pid, { bytes }]) => [pid, { bytes, family: familyOf(pid) }]));
}

/** Zero for a process that has ended. */
function readStatus(pid: string): { readonly parent: number; readonly bytes: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
    return { parent: read("PPid"), bytes: read("RssAnon") * 1024 };
  } catch {
    return { parent: ownPid, bytes: 0 };
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
