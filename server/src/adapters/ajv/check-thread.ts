import { parentPort, workerData } from "node:worker_threads";
import type { JsonSchema } from "../../domain/query/response-format.ts";
import { check } from "./check.ts";

/** The thread's input. The thread posts a `CheckResult`. */
export type CheckInput = { readonly schema: JsonSchema; readonly json: string | undefined };

const { schema, json } = workerData as CheckInput;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(check(schema, json));
