import { env } from "node:process";
import { parentPort, workerData } from "node:worker_threads";

/** A script for tests: it answers, fails, posts nothing, runs forever, or fills its memory. */
switch ((workerData as { readonly task: string }).task) {
  case "answer":
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
