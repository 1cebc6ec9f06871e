/** Processes and threads of one sandbox. A browser with a blank page has 100, and each page adds about 20. */
export const MAX_TASKS = 2000;

/** Files and sockets that each process can keep open. */
export const MAX_FILES = 8192;

/**
 * Keeps the programs of one sandbox within its limits. Disposing ends that after the programs have ended; never throws.
 */
export interface Bounds extends AsyncDisposable {
  /**
   * A process of one thread that writes 0 to each of these files belongs to the sandbox. Without them, processes have
   * to be added.
   */
  readonly entrances: readonly string[];
  /**
   * Whether memory counts that belongs to no process and no file system: what memfd_create(2) makes, and shared
   * mappings without a file. If not, the programs can't have any.
   */
  readonly countsSharedMemory: boolean;
  /** Adds a process. Those that it starts from then on are included. */
  add(pid: number): Promise<void>;
  /**
   * @param memoryBytes What the programs may use together. Includes the sandbox's files, which are in memory.
   * @throws {Error} If they use more already.
   */
  limit(memoryBytes: number): Promise<void>;
  /** @param weight Its share of the processors beside other sandboxes, from 1 to 10,000. */
  weigh(weight: number): void;
  /** True if the sandbox ran out of memory: one of its programs has ended for that reason, or all of them must end. */
  isOverMemory(): boolean;
  /** Its processes and threads, as `mayHaveTasks` has seen them. */
  countTasks(): number;
}

/** Makes bounds for sandboxes. Disposing it, after them, never throws. */
export interface BoundsMaker extends AsyncDisposable {
  /** @throws {Error} If they can't be made. Nothing of them is left then. */
  make(id: string, memoryBytes: number): Promise<Bounds>;
  /** False if all sandboxes together have fewer processes and threads than this. Takes 20 µs then. */
  mayHaveTasks(tasks: number): boolean;
}
