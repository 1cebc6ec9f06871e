import type { Bounds, BoundsMaker } from "./bounds.ts";
import type { SandboxedProgram } from "./sandboxed-program.ts";

/** How often the broker looks for sandboxes that used more memory than they may. */
const WATCH_MS = 250;
/** How often it looks whether all of them have too many processes. A program can start thousands in a second. */
const COUNT_MS = 50;

/** A sandbox that ends when it has too much. */
export type Limited = {
  readonly programs: ReadonlyMap<number, Pick<SandboxedProgram, "kill">>;
  readonly bounds: Pick<Bounds, "isOverMemory" | "countTasks">;
  /** Whether it has used more memory than it may, or the most processes when there were too many. */
  isOverLimit: boolean;
};

type WatchOptions = {
  readonly sandboxes: ReadonlyMap<string, Limited>;
  readonly bounds: Pick<BoundsMaker, "mayHaveTasks">;
  /** How many processes and threads all sandboxes may have together. */
  readonly tasks: number;
  /** Called when a look at a sandbox, or at all of them, has failed. The next one may succeed. */
  readonly onFailure: (error: unknown) => void;
};

/** Ends the programs of sandboxes that have too much, until it is disposed. */
export class LimitsWatch implements Disposable {
  readonly #options: WatchOptions;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => options.sandboxes.forEach((each) => this.endIfOverMemory(each)), WATCH_MS),
      setInterval(() => this.#try(() => this.#endLargest()), COUNT_MS),
    ];
  }

  /** Never throws. The kernel may have ended one process of many. The others would go on without it. */
  endIfOverMemory(sandbox: Limited): void {
    this.#try(() => {
      if (!sandbox.isOverLimit && sandbox.bounds.isOverMemory()) endPrograms(sandbox);
    });
  }

  /**
   * Ends the sandbox with the most processes and threads if all of them have too many: no other program could start
   * one.
   */
  #endLargest(): void {
    const { sandboxes, bounds, tasks } = this.#options;
    if (!bounds.mayHaveTasks(tasks)) return;
    // What has been ended goes on for a moment.
    const going = [...sandboxes.values()].filter(({ isOverLimit }) => !isOverLimit);
    const counts = going.map((sandbox) => ({ sandbox, count: sandbox.bounds.countTasks() }));
    const [largest] = counts.toSorted((one, other) => other.count - one.count);
    if (largest === undefined || counts.reduce((sum, { count }) => sum + count, 0) < tasks) return;
    endPrograms(largest.sandbox);
  }

  /** The broker may lack a descriptor for a moment. All browsers would end with it. */
  #try(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  [Symbol.dispose](): void {
    this.#timers.forEach(clearInterval);
  }
}

function endPrograms(sandbox: Limited): void {
  sandbox.isOverLimit = true;
  for (const program of sandbox.programs.values()) void program.kill();
}
