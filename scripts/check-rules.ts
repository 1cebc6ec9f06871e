import { readFileSync } from "node:fs";
import { UNTESTABLE } from "../conformance/src/registry/untestable.ts";
import { RULES } from "../conformance/src/registry/registry.ts";
import type { Contract } from "../openapi/scripts/contract.ts";
import { findGaps } from "./rules/find-gaps.ts";

/**
 * Checks that everything in the contract has a rule in the conformance suite, and that every rule quotes the contract.
 */
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const gaps = findGaps({
  contract: JSON.parse(read("openapi/generated/openapi.json")) as Contract,
  decisions: read("openapi/DECISIONS.md"),
  rules: RULES,
  beyondReach: UNTESTABLE,
});
for (const gap of gaps) process.stderr.write(`${gap}\n`);
process.exitCode = gaps.length === 0 ? 0 : 1;
