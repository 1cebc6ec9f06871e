import { expect, test } from "vitest";
import { newerThan } from "../plan.ts";
import { conclude, countRules } from "./conclusion.ts";
import type { ReportedRule } from "./report.ts";
import { aRule } from "./test/a-report.ts";

type Ended = Partial<Pick<ReportedRule, "verdict" | "level" | "reason" | "knownFailure">>;

function rule(ended: Ended): ReportedRule {
  return aRule({ level: "required", ...ended });
}

test.each<[string, Ended[], string, number, number]>([
  ["all required rules and decisions passed", [{}, { verdict: "warn", level: "recommended" }], "conformant", 0, 0],
  ["a recommendation was not tested", [{}, { verdict: "skip", level: "recommended" }], "conformant", 0, 0],
  ["a required rule was not tested", [{}, { verdict: "skip" }], "not proven", 0, 3],
  ["a decision was not tested", [{}, { verdict: "skip", level: "decision" }], "not proven", 0, 3],
  [
    "a rule from a later contract version was not tested",
    [{}, { verdict: "skip", reason: newerThan("1.0") }],
    "conformant",
    0,
    0,
  ],
  ["one failed", [{ verdict: "fail" }, { verdict: "inconclusive" }], "not conformant", 1, 1],
  ["one is inconclusive", [{ verdict: "inconclusive" }, { verdict: "skip" }], "inconclusive", 2, 2],
  ["a recommendation is inconclusive", [{}, { verdict: "inconclusive", level: "recommended" }], "conformant", 0, 0],
  ["all failures are known", [{ verdict: "fail", knownFailure: "why" }], "known failures", 0, 0],
  [
    "only one of two failures is known",
    [{ verdict: "fail", knownFailure: "why" }, { verdict: "fail" }],
    "not conformant",
    1,
    1,
  ],
])("when %s", (_, ended, verdict, exitCode, strictCode) => {
  const rules = ended.map(rule);
  expect(conclude(rules, { isStrict: false })).toMatchObject({ verdict, exitCode });
  expect(conclude(rules, { isStrict: true }).exitCode).toBe(strictCode);
});

test("failed decisions count as failures and are also counted separately", () => {
  const counts = countRules([rule({ verdict: "fail", level: "decision" }), rule({ verdict: "fail" }), rule({})]);
  expect(counts).toMatchObject({ pass: 1, fail: 2, decisionFailures: 1 });
});
