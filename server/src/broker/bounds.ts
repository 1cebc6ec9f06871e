/** Maximum processes and threads in a sandbox: a browser with a blank page has 100, and each page adds about 20. */
export const MAX_TASKS = 2000;

/** Maximum number of open files and sockets per process. */
export const MAX_FILES = 8192;

/** Keeps a sandbox's programs within its limits. Dispose of it once the programs have ended. Disposing never throws. */
export interface Bounds extends AsyncDisposable {
  /** A single-threaded process joins the sandbox by writing 0 to these files. If there are none, use `add`. */
  readonly entrances: readonly string[];
  /**
   * Whether memory outside of processes and file systems is counted (memory from memfd_create(2), and shared mappings
   * without a file); if it isn't, programs can't allocate it.
   */
  readonly countsSharedMemory: boolean;
  /** Adds a process and all processes that it starts later. */
  add(pid: number): Promise<void>;
  /** @param memoryBytes Limit on programs plus in-memory files. @throws {Error} If more is already in use. */
  limit(memoryBytes: number): Promise<void>;
  /** @param weight The sandbox's share of processor time relative to other sandboxes, from 1 to 10,000. */
  weigh(weight: number): void;
  /** Returns whether the sandbox ran out of memory: the kernel has killed a program, or all programs must be ended. */
  isOverMemory(): boolean;
  /** Returns the number of processes and threads in the sandbox when `mayHaveTasks` last counted them. */
  countTasks(): number;
}

/** Creates bounds for sandboxes. Dispose of the bounds before the maker. Disposing never throws. */
export interface BoundsMaker extends AsyncDisposable {
  /** @throws {Error} If the bounds can't be created. Everything is released first. */
  make(id: string, memoryBytes: number): Promise<Bounds>;
  /** Returns false, within 20 µs, if all sandboxes together have fewer than `tasks` processes and threads. */
  mayHaveTasks(tasks: number): boolean;
}
