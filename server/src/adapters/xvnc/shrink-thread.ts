import { parentPort, workerData } from "node:worker_threads";
import type { Pixels } from "./rfb-client.ts";
import { shrink } from "./shrink.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(shrink(workerData as Pixels));
