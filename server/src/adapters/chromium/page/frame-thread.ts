import { parentPort, workerData } from "node:worker_threads";
import { findPicture } from "./read-frame.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(findPicture(workerData as Uint8Array));
