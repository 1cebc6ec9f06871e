import { badFormat } from "../../domain/query/response-format.ts";
import type { SchemaChecker, SchemaProblem } from "../../ports/schema-checker.ts";
import { type Caller, ThreadOverrun, type Threads, threadScript } from "../../ports/threads.ts";
import type { CheckResult } from "./check.ts";
import type { CheckInput } from "./check-thread.ts";

const SCRIPT = threadScript(import.meta.url, "check-thread");
/** Processor time limit in ms. A check takes a few ms, but a pattern that backtracks can take centuries. */
const MAX_MS = 5000;

/** Checks with Ajv in threads, because regular expressions in clients' schemas could block the event loop. */
export function newSchemaChecker(threads: Threads): SchemaChecker {
  const runCheck = async (input: CheckInput, caller: Caller): Promise<readonly SchemaProblem[]> => {
    const verdict = (await threads.run(SCRIPT, input, MAX_MS, caller).catch((error: unknown) => {
      if (error instanceof ThreadOverrun)
        throw badFormat("takes too long to check: simplify it, beginning with its patterns");
      throw error;
    })) as CheckResult;
    if ("reason" in verdict) throw badFormat(`is not a JSON Schema that can be used: ${verdict.reason}`);
    return verdict.problems;
  };
  return {
    async accept(schema, caller) {
      await runCheck({ schema, json: undefined }, caller);
    },
    findProblems: (schema, json, caller) => runCheck({ schema, json }, caller),
  };
}
