import { env } from "node:process";
import { parentPort, workerData } from "node:worker_threads";

/**
 * A script for thread tests. The task determines whether the script responds, responds after a delay, throws, posts no
 * message, runs forever or fills its memory.
 */
const { task } = workerData as { readonly task: string };
if (task === "rest") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
switch (task) {
  case "answer":
  case "rest":
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    parentPort?.postMessage({ settings: Object.keys(env) });
    break;
  case "fail":
    throw new Error("It fails.");
  case "fill": {
    const filling: unknown[] = [];
    for (;;) filling.push(Array.from({ length: 1000 }, () => ({})));
  }
  case "run":
    for (;;);
  case "silence":
    break;
}
