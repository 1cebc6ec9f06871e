import { type MachineFacts, toBrowserTasks } from "./machine.ts";

/** A browser's storage limit. */
export type FileBounds = {
  readonly diskBytes: number;
  /** Whether files are stored on disk. Files in memory count towards the browser's memory. */
  readonly areFilesOnDisk: boolean;
};

/** The resource limits of each browser, unless its plan overrides them. */
export type BrowserBounds = FileBounds & {
  readonly memoryBytes: number;
  /** Why the server itself limits the browsers' memory. Undefined if the kernel's control groups limit it. */
  readonly withoutGroups: string | undefined;
};

/** The resource limits of all browsers on a machine. */
export type Bounds = FileBounds & {
  /** All browsers together. */
  readonly all: { readonly memoryBytes: number; readonly tasks: number };
  /** The memory limit of each browser, unless its plan overrides it. */
  readonly memoryBytes: number;
};

const MIB = 2 ** 20;

/** The minimum memory that a graphical browser needs to start and show a page. */
export const MIN_MEMORY_MB = 512;

/** A browser's default memory limit, enough for many heavy pages, and its maximum share of a small machine's memory. */
const [MEMORY, MEMORY_SHARE] = [2048 * MIB, 0.5];

/** Default storage limits: a share of the browser's memory, or a fixed size on disk. */
const DISK_SHARE = 0.25;
const DISK = 2048 * MIB;

/** The memory that a browser needs to start and show a page, in addition to its files. */
const START_BYTES = 256 * MIB;

/** Memory for the server and the system: a share, but at least `RESERVED_MEMORY` and at most `MAX_RESERVED_SHARE`. */
const [RESERVED_MEMORY, RESERVED_SHARE, MAX_RESERVED_SHARE] = [512 * MIB, 0.05, 0.25];

/** The highest values that the kernel accepts. */
const [MAX_MEMORY, MAX_TASKS] = [Number.MAX_SAFE_INTEGER, 2 ** 22];

/**
 * Describes what is wrong with the operator's settings or the machine, in a few sentences.
 * @param machine The machine's memory, and whether the operator set the storage limit.
 */
export function findBoundsMistake(
  { memoryBytes, diskBytes, areFilesOnDisk }: Omit<Bounds, "all">,
  machine: { readonly memoryBytes: number; readonly isDiskSet: boolean },
): string | undefined {
  if (areFilesOnDisk || diskBytes + START_BYTES <= memoryBytes) return undefined;
  if (!machine.isDiskSet) {
    const neededBytes = START_BYTES / (1 - DISK_SHARE);
    const [needed, machineNeeds] = [neededBytes, neededBytes / MEMORY_SHARE].map((bytes) => Math.ceil(bytes / MIB));
    return (
      `A browser needs ${needed} MB of memory, but may use only ${toMegabytes(memoryBytes)}: by default, a browser may use half of the machine's ` +
      `memory, which is ${toMegabytes(machine.memoryBytes)}. Start the server on a machine with ${machineNeeds} MB ` +
      `or more, or set RBS_BROWSER_MEMORY_MB to ${MIN_MEMORY_MB} or more.`
    );
  }
  return (
    `RBS_BROWSER_DISK_MB=${diskBytes / MIB} is too much: files are in memory, and a browser needs ${START_BYTES / MIB} of its ` +
    `${Math.floor(memoryBytes / MIB)} MB for other purposes. Lower this setting, raise RBS_BROWSER_MEMORY_MB, or set RBS_BROWSER_DISK=disk.`
  );
}

/** Formats a size as `2,048 MB`. */
export function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / MIB).toLocaleString("en")} MB`;
}

/** Returns the default storage limit for files in memory. */
export function toDiskBytes(memoryBytes: number): number {
  return Math.floor(memoryBytes * DISK_SHARE);
}

/** @param set The operator's settings; undefined: the defaults for this machine. */
export function toBounds(
  { memoryBytes, tasks }: Pick<MachineFacts, "memoryBytes" | "tasks">,
  set: {
    readonly memoryBytes: number | undefined;
    readonly diskBytes: number | undefined;
    readonly areFilesOnDisk: boolean;
  },
): Bounds {
  const machine = Math.min(memoryBytes, MAX_MEMORY);
  const reserved = Math.min(Math.max(RESERVED_MEMORY, machine * RESERVED_SHARE), machine * MAX_RESERVED_SHARE);
  const each = set.memoryBytes ?? Math.floor(Math.min(MEMORY, machine * MEMORY_SHARE));
  return {
    all: { memoryBytes: Math.floor(machine - reserved), tasks: Math.min(toBrowserTasks(tasks), MAX_TASKS) },
    memoryBytes: each,
    diskBytes: set.diskBytes ?? (set.areFilesOnDisk ? DISK : toDiskBytes(each)),
    areFilesOnDisk: set.areFilesOnDisk,
  };
}
