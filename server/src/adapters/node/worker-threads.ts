import { Worker } from "node:worker_threads";
import { orAborted, sleep } from "../../concurrency/abortable.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Caller, ThreadOverrun, type Threads } from "../../ports/threads.ts";

/** The tree of a page of 4 MiB takes about 150 MiB. */
const MAX_HEAP_MB = 512;
/** Between two looks at the processor time of a script that has almost used its own. */
const MIN_WAIT_MS = 10;

type WorkerThreadsOptions = {
  /** Maximum number of running threads. Further scripts wait. */
  readonly atOnce: number;
  readonly clock: Pick<Clock, "after">;
};

/** Starts a worker thread for each script. Its heap is limited, and terminating it ends the script at any point. */
export class WorkerThreads implements Threads {
  readonly #clock: WorkerThreadsOptions["clock"];
  readonly #permits: Semaphore;

  constructor({ atOnce, clock }: WorkerThreadsOptions) {
    this.#clock = clock;
    // Callers limit how many scripts wait.
    const onFull = (): Error => new Error("Too many scripts are waiting for a thread.");
    this.#permits = new Semaphore({ limit: atOnce, maxWaiting: Infinity, clock, onFull });
  }

  /** Scripts that run or wait. */
  get held(): number {
    return this.#permits.held + this.#permits.waiting;
  }

  async run(script: URL, input: unknown, limitMs: number, { signal, account }: Caller): Promise<unknown> {
    using _permit = await this.#permits.acquire(signal, account);
    signal.throwIfAborted();
    return await this.#start(new Worker(script, toOptions(input)), limitMs, signal);
  }

  async #start(worker: Worker, limitMs: number, signal: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.once("message", resolve);
    worker.once("error", (error: Error & { code?: string }) => {
      const isFull = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isFull ? new ThreadOverrun(`The script needed more than ${MAX_HEAP_MB} MiB.`) : error);
    });
    worker.once("exit", (code) => reject(new Error(`The script ended with ${code} and posted no message.`)));
    const ended = new AbortController();
    void this.#untilUsed(worker, limitMs, ended.signal).then(
      () => reject(new ThreadOverrun(`The script took more than ${limitMs} ms.`)),
      // The thread ended in the meantime: its message, or its exit, says how.
      () => {},
    );
    try {
      return await orAborted(promise, signal);
    } finally {
      ended.abort();
      await worker.terminate();
    }
  }

  /** Waits until a worker has used `limitMs` of processor time, or until `signal` is aborted. */
  async #untilUsed(worker: Worker, limitMs: number, signal: AbortSignal): Promise<void> {
    let usedMs = 0;
    while (usedMs < limitMs) {
      await sleep(Math.max(limitMs - usedMs, MIN_WAIT_MS), this.#clock, signal);
      if (signal.aborted) return;
      const { user, system } = await worker.cpuUsage();
      usedMs = (user + system) / 1000;
    }
  }
}

function toOptions(input: unknown): ConstructorParameters<typeof Worker>[1] {
  return {
    workerData: input,
    // Without settings, the script has no secrets, and its output doesn't reach the log.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
  };
}
