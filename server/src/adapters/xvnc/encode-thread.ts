import { parentPort, workerData } from "node:worker_threads";
import { encode } from "./encode.ts";
import type { Pixels } from "./rfb-client.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(encode(workerData as Pixels));
