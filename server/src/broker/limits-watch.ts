import type { Bounds, BoundsMaker } from "./bounds.ts";
import type { SandboxedProgram } from "./sandboxed-program.ts";

/** How often the broker checks the memory of sandboxes. */
const WATCH_MS = 250;
/** How often it checks their number of processes. A program can start thousands per second. */
const COUNT_MS = 50;

/** A sandbox that is ended if it exceeds its limits. */
export type Limited = {
  readonly programs: ReadonlyMap<number, Pick<SandboxedProgram, "kill">>;
  readonly bounds: Pick<Bounds, "isOverMemory" | "countTasks">;
  /** Whether it exceeded its memory limit, or had the most processes when all sandboxes together had too many. */
  isOverLimit: boolean;
};

type WatchOptions = {
  readonly sandboxes: ReadonlyMap<string, Limited>;
  readonly bounds: Pick<BoundsMaker, "mayHaveTasks">;
  /** Limit of processes and threads of all sandboxes together. */
  readonly tasks: number;
  /** Called when a check has failed. The next one may succeed. */
  readonly onFailure: (error: unknown) => void;
};

/** Ends the programs of sandboxes that exceed their limits, until it is disposed. */
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

  /** Ends all programs, because the kernel may have ended only one process of many. Never throws. */
  endIfOverMemory(sandbox: Limited): void {
    this.#try(() => {
      if (!sandbox.isOverLimit && sandbox.bounds.isOverMemory()) endPrograms(sandbox);
    });
  }

  /** Ends the sandbox with the most processes and threads if all sandboxes together have too many. */
  #endLargest(): void {
    const { sandboxes, bounds, tasks } = this.#options;
    if (!bounds.mayHaveTasks(tasks)) return;
    // Programs that are being ended still run for a moment.
    const going = [...sandboxes.values()].filter(({ isOverLimit }) => !isOverLimit);
    const counts = going.map((sandbox) => ({ sandbox, count: sandbox.bounds.countTasks() }));
    const [largest] = counts.toSorted((one, other) => other.count - one.count);
    if (largest === undefined || counts.reduce((sum, { count }) => sum + count, 0) < tasks) return;
    endPrograms(largest.sandbox);
  }

  /** The broker may lack a descriptor for a moment. An exception would end it, and all browsers with it. */
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
