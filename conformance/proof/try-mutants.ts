import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Mutant } from "./mutant.ts";
import { type Trial, planFor } from "./try-mutant.ts";
import type { Task, WorkerInput } from "./worker.ts";

/** Using more threads isn't faster. */
const MAX_THREADS = 4;
/** Number of mutants that a thread tests concurrently. Many rules spend most of their time waiting. */
const AT_ONCE = 4;

/** Sessions store bodies of 4 MiB, and a larger heap would delay their garbage collection. */
const LIMITS = { maxOldGenerationSizeMb: 4096 };

/** Tests mutants in several threads, each mutant on its own server. @param onTrial Called with each result. */
export async function tryMutants(
  mutants: readonly Mutant[],
  input: WorkerInput,
  onTrial: (trial: Trial) => void,
): Promise<void> {
  // Start with the mutants that wait longest.
  const waiting = mutants.toSorted((one, other) => waitsOf(other, input) - waitsOf(one, input));
  const threads = Math.min(MAX_THREADS, availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => work(waiting, input, onTrial)));
}

function waitsOf(mutant: Mutant, { how, layers }: WorkerInput): number {
  const { named } = planFor(mutant, how, layers);
  return Math.max(0, ...named.map((rule) => (rule.kind === "scenario" ? (rule.waitsS ?? 0) : 0)));
}

async function work(waiting: Mutant[], input: WorkerInput, onTrial: (trial: Trial) => void): Promise<void> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { workerData: input, resourceLimits: LIMITS });
  let underWay = 0;
  const next = (): void => {
    const mutant = waiting.shift();
    if (mutant === undefined) return;
    underWay += 1;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ mutant: mutant.id } satisfies Task);
  };
  worker.on("message", (trial: Trial) => {
    underWay -= 1;
    onTrial(trial);
    next();
    if (underWay === 0) void worker.terminate();
  });
  const ended = once(worker, "exit");
  for (let at = 0; at < AT_ONCE; at += 1) next();
  if (underWay === 0) await worker.terminate();
  // Rejects with the thread's error.
  await ended;
}
