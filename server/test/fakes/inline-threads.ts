import { check } from "../../src/adapters/ajv/check.ts";
import type { CheckInput } from "../../src/adapters/ajv/check-thread.ts";
import { reduce } from "../../src/adapters/parse5/reduce.ts";
import type { ReduceInput } from "../../src/adapters/parse5/reduce-thread.ts";
import type { Threads } from "../../src/ports/threads.ts";

/** Runs query scripts in the caller's thread, because starting a thread takes longer than the rest of a query. */
export const inlineThreads: Threads = {
  async run(_script, input) {
    const work = input as ReduceInput | CheckInput;
    return "html" in work ? reduce(work.html, work.maxChars) : check(work.schema, work.json);
  },
};
