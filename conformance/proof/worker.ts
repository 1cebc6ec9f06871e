import { parentPort, workerData } from "node:worker_threads";
import type { Layer } from "../src/contract/vocabulary.ts";
import { MUTANTS } from "./mutants.ts";
import { type Thoroughness, planFor, tryMutant } from "./try-mutant.ts";

/** Options that apply to all mutants. */
export type WorkerInput = {
  readonly how: Thoroughness;
  readonly layers: readonly Layer[];
  readonly seed: number;
};

/** Tells a worker which mutant to try next. The worker replies with a `Trial`. Replies may arrive in any order. */
export type Task = { readonly mutant: string };

const { how, layers, seed } = workerData as WorkerInput;

parentPort?.on("message", ({ mutant: id }: Task) => {
  const mutant = MUTANTS.find((each) => each.id === id);
  if (mutant === undefined) throw new Error(`Mutant ${id} doesn't exist.`);
  void tryMutant(mutant, planFor(mutant, how, layers), seed).then(
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    (trial) => parentPort?.postMessage(trial),
    (error: unknown) => {
      throw new Error(`Can't test mutant ${id}.`, { cause: error });
    },
  );
});
