import { parentPort, workerData } from "node:worker_threads";
import type { ReducedPage } from "../../ports/page-reducer.ts";
import { TooDeep, reduce } from "./reduce.ts";

export type ReduceInput = { readonly html: string; readonly maxChars: number };
export type ReduceOutput = ReducedPage | "too deep";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(answer(workerData as ReduceInput));

function answer({ html, maxChars }: ReduceInput): ReduceOutput {
  try {
    return reduce(html, maxChars);
  } catch (error) {
    if (error instanceof TooDeep) return "too deep";
    throw error;
  }
}
