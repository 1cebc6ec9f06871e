/** What a machine, or the container that the server runs in, has for browsers. Infinity: without a limit. */
export type MachineFacts = {
  readonly cores: number;
  readonly memoryBytes: number;
  /** Size of the host's `/dev/shm`. */
  readonly sharedMemoryBytes: number;
  /** Numbers of X displays that nobody has taken. */
  readonly displays: number;
  /** Files and sockets that the server may have open. */
  readonly openFiles: number;
  /** Processes and threads that there may be. */
  readonly tasks: number;
  /** Processes and threads that one user may have. */
  readonly tasksOfUser: number;
};

/** How browsers are kept apart, as far as it decides what they share. */
export type Separation = {
  /** Whether each has displays and shared memory of its own. */
  readonly isJailed: boolean;
  /** Whether each has a user of its own. */
  readonly hasOwners: boolean;
};

/** How many browsers one resource carries. */
export type Allowance = {
  readonly resource: string;
  readonly has: number;
  /** What the server needs of it for itself, and what each browser does. */
  readonly own: number;
  readonly each: number;
  readonly advice: string;
};

const MIB = 2 ** 20;

/** What one browser needs, as a rule of thumb: a graphical one with a few heavy pages. */
const MEMORY = 512 * MIB;
const BROWSERS_PER_CORE = 16;
/** Chromium keeps what its processes share in files without a name; other browsers put some of it here. */
const SHARED_MEMORY = 4 * MIB;
/** A blank one has 100, and some 20 more a page. */
const TASKS = 250;
/** In the server: its programs' pipes and sockets, its clients, and two for each connection to the network. */
const OPEN_FILES = 100;

/** What the server needs for itself and for callers that open nothing. */
const OWN_TASKS = 50;
const OWN_OPEN_FILES = 200;

/** What each resource allows. */
export function toAllowances(facts: MachineFacts, { isJailed, hasOwners }: Separation): readonly Allowance[] {
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
      // Where each browser has its own user, it is enough that the limit holds one.
      ...(hasOwners ? { own: TASKS, each: 0 } : { own: OWN_TASKS, each: TASKS }),
      advice: "raise the limit: ulimit -u, LimitNPROC= of systemd, --ulimit nproc= of Docker",
    },
    ...(isJailed ? [] : toShared(facts)),
  ];
}

/** How many browsers a resource is enough for. */
export function countBrowsers({ has, own, each }: Allowance): number {
  if (has < own) return 0;
  return each === 0 ? Infinity : Math.floor((has - own) / each);
}

/** As many as everything allows, and one in any case: a machine too small for that shows it soon enough. */
export function toDefaultCapacity(allowances: readonly Allowance[]): number {
  return Math.max(1, Math.min(...allowances.map(countBrowsers)));
}

/** What the machine has too little of for so many browsers. */
export function findShortages(allowances: readonly Allowance[], capacity: number): readonly Allowance[] {
  return allowances.filter((allowance) => countBrowsers(allowance) < capacity);
}

/** A shortage in words for the operator. */
export function describeShortage(shortage: Allowance, capacity: number): string {
  const { resource, has, own, each, advice } = shortage;
  const needed = Math.ceil(own + each * capacity);
  return (
    `RBS_CAPACITY=${capacity} may need ${needed} ${resource}, and there are ${has}, ` +
    `enough for ${countBrowsers(shortage)}. Lower RBS_CAPACITY, or ${advice}.`
  );
}

/** What browsers without jails have in common. */
function toShared({ sharedMemoryBytes, displays }: MachineFacts): Allowance[] {
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
