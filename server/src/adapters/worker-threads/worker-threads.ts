import { Worker } from "node:worker_threads";
import { ThreadOverrun, type Threads } from "../../ports/threads.ts";

/** A page of 4 MiB takes some 150 MiB as a tree. */
const MAX_HEAP_MB = 512;

export type WorkerThreadsOptions = {
  /** Threads that run at the same time; the scripts of others wait for their turn. */
  readonly atOnce: number;
  readonly after: (delayMs: number, call: () => void) => () => void;
};

/** A new worker thread for each script: its heap is bounded, and ending it ends the script whatever it is doing. */
export class WorkerThreads implements Threads {
  readonly #options: WorkerThreadsOptions;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: WorkerThreadsOptions) {
    this.#options = options;
  }

  /** Scripts that run or wait. */
  get held(): number {
    return this.#taken + this.#waiting.size;
  }

  async run(script: URL, input: unknown, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    await this.#turn(signal);
    try {
      signal.throwIfAborted();
      return await this.#start(new Worker(script, toOptions(input)), timeoutMs, signal);
    } finally {
      const [next] = this.#waiting;
      // The next one takes the place over, so that nobody comes between.
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }

  /** One that is aborted while it waits leaves at once, and its input with it. */
  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#options.atOnce) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next = (): void => {
      this.#waiting.delete(next);
      signal.removeEventListener("abort", leave);
      resolve();
    };
    const leave = (): void => {
      this.#waiting.delete(next);
      reject(signal.reason);
    };
    this.#waiting.add(next);
    signal.addEventListener("abort", leave, { once: true });
    await promise;
  }

  async #start(worker: Worker, timeoutMs: number, signal: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.once("message", resolve);
    worker.once("error", (error: Error & { code?: string }) => {
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isFull ? new ThreadOverrun(`The script needed more than ${MAX_HEAP_MB} MiB.`) : error);
    });
    worker.once("exit", (code) => reject(new Error(`The script ended with ${code} and said nothing.`)));
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave);
    const cancel = this.#options.after(timeoutMs, () =>
      reject(new ThreadOverrun(`The script took more than ${timeoutMs} ms.`)),
    );
    try {
      return await promise;
    } finally {
      cancel();
      signal.removeEventListener("abort", leave);
      await worker.terminate();
    }
  }
}

function toOptions(input: unknown): ConstructorParameters<typeof Worker>[1] {
  return {
    workerData: input,
    // No settings, hence no secrets; and nothing it might print reaches the log.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
  };
}
