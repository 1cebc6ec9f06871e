import { env } from "node:process";
import { RULES } from "../src/registry/registry.ts";
import type { FuzzRule } from "../src/registry/rule.ts";
import type { RuleResult } from "../src/registry/verdict.ts";
import type { RunOptions } from "../src/run/run-options.ts";
import { runSchemathesis } from "../src/schemathesis/run-schemathesis.ts";

const FUZZER = { how: "auto", image: undefined, python: undefined, env } as const;

/** Runs Schemathesis against a server. */
export async function fuzz(options: RunOptions): Promise<readonly RuleResult[]> {
  const rules = RULES.filter((rule): rule is FuzzRule => rule.kind === "fuzz");
  return runSchemathesis({ ...options, fuzzer: FUZZER }, rules, () => {});
}
