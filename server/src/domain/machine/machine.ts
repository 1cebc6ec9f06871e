/** The resources of the machine, or of the container that the server runs in. Infinity: no limit. */
export type MachineFacts = {
  readonly cores: number;
  readonly memoryBytes: number;
  /** The size of the host's `/dev/shm`. */
  readonly sharedMemoryBytes: number;
  /** Free numbers of X displays. */
  readonly displays: number;
  /** Files and sockets that the server may keep open. */
  readonly openFiles: number;
  /** Processes and threads on the whole machine. */
  readonly tasks: number;
  /** Processes and threads of one user. */
  readonly tasksOfUser: number;
};

/** How browsers are isolated, which decides what they share. */
export type Isolation = {
  /** Whether each browser has its own displays and shared memory. */
  readonly isSandboxed: boolean;
  /** Whether each browser has its own user. */
  readonly hasOwners: boolean;
};

/** The disk that browsers keep their files on. Each has its space from its start, and so does each prepared sandbox. */
export type DiskFacts = { readonly freeBytes: number; readonly eachBytes: number; readonly spares: number };

/** A resource of the machine, and what the server and its browsers need of it. */
type ResourceLimit = {
  readonly resource: string;
  readonly has: number;
  /** What the server itself needs, and what each browser needs. */
  readonly own: number;
  readonly each: number;
  readonly advice: string;
};

const MIB = 2 ** 20;

/** Disk space that stays free: the server needs it to record what open browsers cost. */
export const RESERVED_DISK_BYTES = 256 * MIB;

/** Estimates for one browser: graphical, with a few heavy pages. */
const MEMORY = 512 * MIB;
const BROWSERS_PER_CORE = 16;
/** Estimates for browsers with a blank page: memory that all of them share, and memory that each adds. */
const IDLE_SHARED = 256 * MIB;
const IDLE_MEMORY = 128 * MIB;
/** The share of the machine's memory that idle browsers may use. */
const IDLE_SHARE = 0.1;
/** Chromium shares memory through unnamed files; other browsers use some of `/dev/shm`. */
const SHARED_MEMORY = 4 * MIB;
/** A browser with a blank page has 100, and each page adds about 20. */
const TASKS = 250;
/** In the server: pipes and sockets of the browser's programs, its clients, and two per network connection. */
const OPEN_FILES = 100;

/** Files and sockets of the server itself, including callers that open no browser. */
const OWN_OPEN_FILES = 200;

/** What the server and the system keep of the processes and threads: this share, and at least so many. */
const [RESERVED_TASKS_SHARE, RESERVED_TASKS] = [0.1, 100];

/** How many of the processes and threads all browsers may have together. */
export function toBrowserTasks(tasks: number): number {
  return Math.max(1, Math.floor(Math.min(tasks * (1 - RESERVED_TASKS_SHARE), tasks - RESERVED_TASKS)));
}

/** All resources that limit the number of browsers. */
export function toResourceLimits(
  facts: MachineFacts,
  { isSandboxed, hasOwners }: Isolation,
  disk?: DiskFacts,
): readonly ResourceLimit[] {
  return [
    {
      resource: "MiB of memory",
      has: Math.floor(facts.memoryBytes / MIB),
      own: 0,
      each: MEMORY / MIB,
      advice: "give the machine or the container more of it",
    },
    {
      resource: "processor cores",
      has: facts.cores,
      own: 0,
      each: 1 / BROWSERS_PER_CORE,
      advice: "give the machine or the container more of them",
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
      own: 0,
      each: TASKS,
      advice: "raise the limit: TasksMax= of systemd, --pids-limit of Docker, kernel.pid_max and kernel.threads-max",
    },
    {
      resource: "processes and threads of one user",
      // With a user per browser, the limit has to cover only one browser.
      ...(hasOwners
        ? { has: facts.tasksOfUser, own: TASKS, each: 0 }
        : { has: toBrowserTasks(facts.tasksOfUser), own: 0, each: TASKS }),
      advice: "raise the limit: ulimit -u, LimitNPROC= of systemd, --ulimit nproc= of Docker",
    },
    ...(isSandboxed ? [] : toShared(facts)),
    ...(disk === undefined ? [] : [toDisk(disk)]),
  ];
}

/** The number of browsers that a resource is enough for. */
export function countBrowsers({ has, own, each }: ResourceLimit): number {
  if (has < own) return 0;
  return each === 0 ? Infinity : Math.floor((has - own) / each);
}

/**
 * As many browsers as the scarcest resource allows, and at least one: on a smaller machine, the first Open shows the
 * problem.
 */
export function toDefaultCapacity(resources: readonly ResourceLimit[]): number {
  return Math.max(1, Math.min(...resources.map(countBrowsers)));
}

/** The number of idle browsers that a tenth of the memory is enough for. */
export function countIdleBrowsers({ memoryBytes }: Pick<MachineFacts, "memoryBytes">): number {
  return Math.max(0, Math.floor((memoryBytes * IDLE_SHARE - IDLE_SHARED) / IDLE_MEMORY));
}

/** The resources that are too small for this capacity. */
export function findShortages(resources: readonly ResourceLimit[], capacity: number): readonly ResourceLimit[] {
  return resources.filter((resource) => countBrowsers(resource) < capacity);
}

/** A shortage in one sentence for the operator. */
export function describeShortage(shortage: ResourceLimit, capacity: number): string {
  const { resource, has, own, each, advice } = shortage;
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
    advice: "free some, or lower RBS_BROWSER_DISK_MB or RBS_SPARE_SANDBOXES",
  };
}

/** The resources that browsers without a sandbox share. */
function toShared({ sharedMemoryBytes, displays }: MachineFacts): ResourceLimit[] {
  return [
    {
      resource: "MiB of shared memory (/dev/shm)",
      has: Math.floor(sharedMemoryBytes / MIB),
      own: 0,
      each: SHARED_MEMORY / MIB,
      advice: "enlarge it (--shm-size of Docker), or give each browser its own with RBS_ISOLATION=sandbox",
    },
    {
      resource: "X displays",
      has: displays,
      own: 0,
      each: 1,
      advice: "give each browser its own with RBS_ISOLATION=sandbox",
    },
  ];
}
