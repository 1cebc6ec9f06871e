/** The resources of a machine, or of the container that the server runs in. Infinity: unlimited. */
export type MachineFacts = {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Size of the host's `/dev/shm`. */
  readonly sharedMemoryBytes: number;
  /** Free numbers of X displays. */
  readonly displays: number;
  /** Files and sockets that the server may have open. */
  readonly openFiles: number;
  /** Processes and threads of all users. */
  readonly tasks: number;
  /** Processes and threads that one user may have. */
  readonly tasksOfUser: number;
};

/** How browsers are isolated, which decides what resources they share. */
export type Separation = {
  /** Whether each has its own displays and shared memory. */
  readonly isIsolated: boolean;
  /** Whether each has its own user. */
  readonly hasOwners: boolean;
};

/** What one resource allows. */
export type Allowance = {
  readonly resource: string;
  readonly has: number;
  /** The amounts that the server itself and each browser need. */
  readonly own: number;
  readonly each: number;
  readonly advice: string;
};

const MIB = 2 ** 20;

/** A rule of thumb for one browser: graphical, with a few heavy pages. */
const MEMORY = 512 * MIB;
const BROWSERS_PER_CORE = 16;
/** Chromium shares memory in unnamed files instead, but other browsers use some of this. */
const SHARED_MEMORY = 4 * MIB;
/** A blank browser has 100, and each page adds about 20. */
const TASKS = 250;
/**
 * In the server: pipes and sockets of the browser's programs, its clients, and two for each connection to the network.
 */
const OPEN_FILES = 100;

/** What the server needs for itself and for clients without browsers. */
const OWN_TASKS = 50;
const OWN_OPEN_FILES = 200;

export function toAllowances(facts: MachineFacts, { isIsolated, hasOwners }: Separation): readonly Allowance[] {
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
      has: facts.tasks,
      own: OWN_TASKS,
      each: TASKS,
      advice: "raise the limit: TasksMax= of systemd, --pids-limit of Docker, kernel.pid_max and kernel.threads-max",
    },
    {
      resource: "processes and threads of one user",
      has: facts.tasksOfUser,
      // When each browser has its own user, the limit has to be enough for one browser.
      ...(hasOwners ? { own: TASKS, each: 0 } : { own: OWN_TASKS, each: TASKS }),
      advice: "raise the limit: ulimit -u, LimitNPROC= of systemd, --ulimit nproc= of Docker",
    },
    ...(isIsolated ? [] : toShared(facts)),
  ];
}

/** The number of browsers that a resource is enough for. */
export function countBrowsers({ has, own, each }: Allowance): number {
  if (has < own) return 0;
  return each === 0 ? Infinity : Math.floor((has - own) / each);
}

/** As many browsers as all resources allow, and always one: a machine too small for one shows that soon enough. */
export function toDefaultCapacity(allowances: readonly Allowance[]): number {
  return Math.max(1, Math.min(...allowances.map(countBrowsers)));
}

/** Resources that are not enough for that number of browsers. */
export function findShortages(allowances: readonly Allowance[], capacity: number): readonly Allowance[] {
  return allowances.filter((allowance) => countBrowsers(allowance) < capacity);
}

/** Describes a shortage to the operator. */
export function describeShortage(shortage: Allowance, capacity: number): string {
  const { resource, has, own, each, advice } = shortage;
  const needed = Math.ceil(own + each * capacity);
  return (
    `RBS_CAPACITY=${capacity} may need ${needed} ${resource}, and there are ${has}, ` +
    `enough for ${countBrowsers(shortage)}. Lower RBS_CAPACITY, or ${advice}.`
  );
}

/** Resources that browsers without sandboxes share. */
function toShared({ sharedMemoryBytes, displays }: MachineFacts): Allowance[] {
  return [
    {
      resource: "MiB of shared memory (/dev/shm)",
      has: Math.floor(sharedMemoryBytes / MIB),
      own: 0,
      each: SHARED_MEMORY / MIB,
      advice: "enlarge it (--shm-size of Docker), or give each browser its own with RBS_ISOLATION=jail",
    },
    {
      resource: "X displays",
      has: displays,
      own: 0,
      each: 1,
      advice: "give each browser its own with RBS_ISOLATION=jail",
    },
  ];
}
