import { Worker } from "node:worker_threads";
import { orAborted, sleep } from "../../concurrency/abortable.ts";
import { Semaphore } from "../../concurrency/semaphore.ts";
import type { Clock } from "../../ports/clock.ts";
import { type Caller, ThreadOverrun, type Threads } from "../../ports/threads.ts";

/** The parsed tree of a 4 MiB page takes about 150 MiB. */
const MAX_HEAP_MB = 512;
/** Minimum time between two readings of a script's processor time. */
const MIN_WAIT_MS = 10;

type WorkerThreadsOptions = {
  /** Maximum number of threads. Further scripts wait. */
  readonly atOnce: number;
  readonly clock: Pick<Clock, "after">;
};

/** Runs each script in a worker thread with a limited heap, which can be terminated at any time. */
export class WorkerThreads implements Threads {
  readonly #clock: WorkerThreadsOptions["clock"];
  readonly #permits: Semaphore;

  constructor({ atOnce, clock }: WorkerThreadsOptions) {
    this.#clock = clock;
    // Unlimited, because callers limit the number of waiting scripts.
    const onFull = (): Error => new Error("Too many scripts are waiting for a thread.");
    this.#permits = new Semaphore({ limit: atOnce, maxWaiting: Infinity, clock, onFull });
  }

  /** Number of running and waiting scripts. */
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
    worker.once("exit", (code) => reject(new Error(`The script exited with code ${code} and posted no message.`)));
    const ended = new AbortController();
    void this.#untilUsed(worker, limitMs, ended.signal).then(
      () => reject(new ThreadOverrun(`The script took more than ${limitMs} ms.`)),
      // The thread has ended: its message or exit settles the promise.
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
    // The script must not see the server's secrets or write to its log.
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
  };
}
