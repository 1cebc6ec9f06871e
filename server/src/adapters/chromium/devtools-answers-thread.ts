import { parentPort, workerData } from "node:worker_threads";
import { type Sent, readHere } from "./devtools-answers.ts";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(readHere(workerData as Sent));
