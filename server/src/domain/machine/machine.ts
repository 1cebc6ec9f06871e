/** The resources of the machine, or of the container that the server runs in. Infinity: no limit. */
export type MachineFacts = {
  readonly cores: number;
  readonly memoryBytes: number;
  /** The size of the host's `/dev/shm`. */
  readonly sharedMemoryBytes: number;
  /** Number of free X displays. */
  readonly displays: number;
  /** Maximum number of files and sockets that the server can keep open. */
  readonly openFiles: number;
  /** Maximum number of processes and threads on the whole machine. */
  readonly tasks: number;
  /** Maximum number of processes and threads per user. */
  readonly tasksOfUser: number;
};

/** How browsers are isolated, which determines the resources they share. */
type Isolation = {
  /** Whether each browser has its own displays and shared memory. */
  readonly isSandboxed: boolean;
  readonly hasOwners: boolean;
};

/** The disk for browsers' files. Browsers and prepared sandboxes reserve their space when they start. */
export type DiskFacts = { readonly freeBytes: number; readonly eachBytes: number; readonly spares: number };

type ResourceLimit = {
  readonly resource: string;
  readonly has: number;
  /** The amount that the server itself needs; 0 by default. */
  readonly own?: number;
  readonly each: number;
  readonly advice: string;
};

const MIB = 2 ** 20;

/** Disk space to keep free, because the server needs it to record the units of open browsers. */
export const RESERVED_DISK_BYTES = 256 * MIB;

/** Estimates for one graphical browser with a few heavy pages. */
const MEMORY = 512 * MIB;
const BROWSERS_PER_CORE = 16;
/** Estimates for browsers with a blank page: the memory they share, and the additional memory per browser. */
const IDLE_SHARED = 256 * MIB;
const IDLE_MEMORY = 128 * MIB;
/** The share of the machine's memory that idle browsers may use. */
const IDLE_SHARE = 0.1;
/** Chromium shares memory through unnamed files, but other programs use `/dev/shm`. */
const SHARED_MEMORY = 4 * MIB;
/** A browser with a blank page has 100 processes and threads, and each page adds about 20. */
const TASKS = 250;
/** Files that the server opens per browser: pipes and sockets for its programs and clients, and two per connection. */
const OPEN_FILES = 100;

/** Files that the server opens for itself, including connections from callers that don't open browsers. */
const OWN_OPEN_FILES = 200;

/** Processes and threads reserved for the server and the system: a share, and a minimum. */
const [RESERVED_TASKS_SHARE, RESERVED_TASKS] = [0.1, 100];

/** Returns the maximum number of processes and threads for all browsers together. */
export function toBrowserTasks(tasks: number): number {
  return Math.max(1, Math.floor(Math.min(tasks * (1 - RESERVED_TASKS_SHARE), tasks - RESERVED_TASKS)));
}

/** Returns all resources that limit the number of browsers. */
export function toResourceLimits(
  facts: MachineFacts,
  { isSandboxed, hasOwners }: Isolation,
  disk?: DiskFacts,
): readonly ResourceLimit[] {
  return [
    {
      resource: "MiB of memory",
      has: Math.floor(facts.memoryBytes / MIB),
      each: MEMORY / MIB,
      advice: "give the machine or container more memory",
    },
    {
      resource: "processor cores",
      has: facts.cores,
      each: 1 / BROWSERS_PER_CORE,
      advice: "give the machine or container more cores",
    },
    {
      resource: "open files",
      has: facts.openFiles,
      own: OWN_OPEN_FILES,
      each: OPEN_FILES,
      advice: "raise the limit: ulimit -n, LimitNOFILE= of systemd, --ulimit nofile= of Docker",
    },
    {
      resource: "processes and threads",
      has: toBrowserTasks(facts.tasks),
      each: TASKS,
      advice: "raise the limit: TasksMax= of systemd, --pids-limit of Docker, kernel.pid_max and kernel.threads-max",
    },
    {
      resource: "processes and threads of one user",
      // If each browser has its own user, the limit only has to cover one browser.
      ...(hasOwners
        ? { has: facts.tasksOfUser, own: TASKS, each: 0 }
        : { has: toBrowserTasks(facts.tasksOfUser), each: TASKS }),
      advice: "raise the limit: ulimit -u, LimitNPROC= of systemd, --ulimit nproc= of Docker",
    },
    ...(isSandboxed ? [] : toShared(facts)),
    ...(disk === undefined ? [] : [toDisk(disk)]),
  ];
}

/** Returns how many browsers a resource can support. */
export function countBrowsers({ has, own = 0, each }: ResourceLimit): number {
  if (has < own) return 0;
  return each === 0 ? Infinity : Math.floor((has - own) / each);
}

/**
 * Returns how many browsers the scarcest resource allows, or 1 if it allows none. In that case, the first Open request
 * reports the problem.
 */
export function toDefaultCapacity(resources: readonly ResourceLimit[]): number {
  return Math.max(1, Math.min(...resources.map(countBrowsers)));
}

/** Returns the number of idle browsers that fit into a tenth of the memory. */
export function countIdleBrowsers({ memoryBytes }: Pick<MachineFacts, "memoryBytes">): number {
  return Math.max(0, Math.floor((memoryBytes * IDLE_SHARE - IDLE_SHARED) / IDLE_MEMORY));
}

/** Returns the resources that are too scarce for this capacity. */
export function findShortages(resources: readonly ResourceLimit[], capacity: number): readonly ResourceLimit[] {
  return resources.filter((resource) => countBrowsers(resource) < capacity);
}

export function describeShortage(shortage: ResourceLimit, capacity: number): string {
  const { resource, has, own = 0, each, advice } = shortage;
  const needed = Math.ceil(own + each * capacity);
  return (
    `RBS_CAPACITY=${capacity} may need ${needed} ${resource}, but only ${has} are available, ` +
    `enough for ${countBrowsers(shortage)}. Lower RBS_CAPACITY, or ${advice}.`
  );
}

function toDisk({ freeBytes, eachBytes, spares }: DiskFacts): ResourceLimit {
  return {
    resource: "MiB of free disk space (RBS_WORK_DIR)",
    has: Math.floor(freeBytes / MIB),
    own: (RESERVED_DISK_BYTES + spares * eachBytes) / MIB,
    each: eachBytes / MIB,
    advice: "free up some space, or lower RBS_BROWSER_DISK_MB or RBS_SPARE_SANDBOXES",
  };
}

/** Returns the resources that browsers without a sandbox share. */
function toShared({ sharedMemoryBytes, displays }: MachineFacts): ResourceLimit[] {
  return [
    {
      resource: "MiB of shared memory (/dev/shm)",
      has: Math.floor(sharedMemoryBytes / MIB),
      each: SHARED_MEMORY / MIB,
      advice: "enlarge it (--shm-size of Docker), or give each browser its own with RBS_ISOLATION=sandbox",
    },
    {
      resource: "X displays",
      has: displays,
      each: 1,
      advice: "give each browser its own displays with RBS_ISOLATION=sandbox",
    },
  ];
}
