/** Limit of a sandbox's processes and threads. A browser with a blank page has 100; each page adds about 20. */
export const MAX_TASKS = 2000;

/** Limit of open files and sockets per process. */
export const MAX_FILES = 8192;

/** Keeps a sandbox's programs within its limits. Dispose it after the programs have ended; never throws. */
export interface Bounds extends AsyncDisposable {
  /** A single-threaded process joins the sandbox by writing 0 to these files. If empty, processes must be added. */
  readonly entrances: readonly string[];
  /**
   * Whether memory outside of processes and file systems is counted: from memfd_create(2), and shared mappings without
   * a file. If not, programs can't allocate any.
   */
  readonly countsSharedMemory: boolean;
  /** Adds a process, and the processes that it starts from then on. */
  add(pid: number): Promise<void>;
  /** @param memoryBytes Limit for programs and files in memory together. @throws {Error} If they already use more. */
  limit(memoryBytes: number): Promise<void>;
  /** @param weight The share of processor time relative to other sandboxes, from 1 to 10,000. */
  weigh(weight: number): void;
  /** True if the sandbox ran out of memory: the kernel has ended a program, or all of them must be ended. */
  isOverMemory(): boolean;
  /** The number of its processes and threads when `mayHaveTasks` last counted them. */
  countTasks(): number;
}

/** Makes bounds for sandboxes. Dispose it after them; never throws. */
export interface BoundsMaker extends AsyncDisposable {
  /** @throws {Error} If that fails, after releasing everything. */
  make(id: string, memoryBytes: number): Promise<Bounds>;
  /** Returns false, in 20 µs, if all sandboxes together have fewer processes and threads. */
  mayHaveTasks(tasks: number): boolean;
}
