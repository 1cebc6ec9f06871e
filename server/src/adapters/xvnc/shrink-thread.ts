import { parentPort, workerData } from "node:worker_threads";
import type { Frame } from "./read-screen.ts";
import { shrink } from "./shrink.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(shrink(workerData as Frame));
