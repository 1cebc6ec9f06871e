import { badFormat } from "../../domain/query/response-format.ts";
import type { SchemaChecker, SchemaProblem } from "../../ports/schema-checker.ts";
import { ThreadOverrun, type Threads, threadScript } from "../../ports/threads.ts";
import type { Verdict } from "./check.ts";
import type { CheckInput } from "./check-thread.ts";

const SCRIPT = threadScript(import.meta.url, "check-thread");
/** A check takes a few ms; a pattern that backtracks can take centuries. */
const MAX_MS = 5000;

/**
 * Checks with Ajv, in threads: a schema's patterns are regular expressions of strangers, and no expression that can
 * backtrack may run where everybody else's requests do.
 */
export function schemaChecker(threads: Threads): SchemaChecker {
  const judge = async (input: CheckInput, signal: AbortSignal): Promise<readonly SchemaProblem[]> => {
    const verdict = (await threads.run(SCRIPT, input, MAX_MS, signal).catch((error: unknown) => {
      if (error instanceof ThreadOverrun)
        throw badFormat("takes too long to check by: simplify it, its patterns first");
      throw error;
    })) as Verdict;
    if ("reason" in verdict) throw badFormat(`is not a JSON Schema that can be checked by: ${verdict.reason}`);
    return verdict.problems;
  };
  return {
    async accept(schema, signal) {
      await judge({ schema, json: undefined }, signal);
    },
    findProblems: (schema, json, signal) => judge({ schema, json }, signal),
  };
}
