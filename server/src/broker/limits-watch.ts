import type { Bounds, BoundsMaker } from "./bounds.ts";
import type { SandboxedProgram } from "./sandboxed-program.ts";

/** How often the broker checks the sandboxes' memory. */
const WATCH_MS = 250;
/** How often the broker counts the sandboxes' processes. A program can start thousands of processes per second. */
const COUNT_MS = 50;

/** A sandbox that is ended if it exceeds its limits. */
export type Limited = {
  readonly programs: ReadonlyMap<number, Pick<SandboxedProgram, "kill">>;
  readonly bounds: Pick<Bounds, "isOverMemory" | "countTasks">;
  /** Whether the sandbox exceeded its memory limit, or had the most processes when the total was too high. */
  isOverLimit: boolean;
};

type WatchOptions = {
  readonly sandboxes: ReadonlyMap<string, Limited>;
  readonly bounds: Pick<BoundsMaker, "mayHaveTasks">;
  /** Maximum number of processes and threads in all sandboxes together. */
  readonly tasks: number;
  /** Called when a check fails. The next check may succeed. */
  readonly onFailure: (error: unknown) => void;
};

/** Until disposed, ends the programs of sandboxes that exceed their limits. */
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

  /** Ends all programs of a sandbox that is out of memory: the kernel may have ended only one process. Never throws. */
  endIfOverMemory(sandbox: Limited): void {
    this.#try(() => {
      if (!sandbox.isOverLimit && sandbox.bounds.isOverMemory()) endPrograms(sandbox);
    });
  }

  /** Ends the sandbox with the most processes and threads if all sandboxes together have too many. */
  #endLargest(): void {
    const { sandboxes, bounds, tasks } = this.#options;
    if (!bounds.mayHaveTasks(tasks)) return;
    // Skip sandboxes whose programs are already being terminated but may still be running.
    const going = [...sandboxes.values()].filter(({ isOverLimit }) => !isOverLimit);
    const counts = going.map((sandbox) => ({ sandbox, count: sandbox.bounds.countTasks() }));
    const [largest] = counts.toSorted((one, other) => other.count - one.count);
    if (largest === undefined || counts.reduce((sum, { count }) => sum + count, 0) < tasks) return;
    endPrograms(largest.sandbox);
  }

  /** The broker may briefly run out of descriptors. An exception would end the broker and all browsers. */
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
