import { expect, test } from "vitest";
import { conclude, countRules, type Selection, toTitle } from "./conclusion.ts";
import type { ReportedRule } from "./report.ts";
import { aRule } from "./test/a-report.ts";

type Ended = Partial<Pick<ReportedRule, "verdict" | "level" | "capability" | "reason" | "skippedBy" | "knownFailure">>;

function rule(ended: Ended): ReportedRule {
  return aRule({ level: "required", ...ended });
}

const SMOKE: Selection = { profile: "smoke", rules: [], isPartial: false };
const skip = (skippedBy: ReportedRule["skippedBy"], more: Ended = {}): Ended => ({
  verdict: "skip",
  skippedBy,
  ...more,
});

test.each<[string, Ended[], string, number]>([
  ["all required rules and decisions passed", [{}, { verdict: "warn", level: "recommended" }], "conformant", 0],
  ["a recommendation was not tested", [{}, skip("missing", { level: "recommended" })], "conformant", 0],
  ["the profile excludes a rule", [{}, skip("profile")], "passed", 0],
  ["a token for a required rule is missing", [{}, skip("missing")], "incomplete", 3],
  ["a token for a decision is missing", [{}, skip("missing", { level: "decision" })], "incomplete", 3],
  ["the contract version doesn't have a rule", [{}, skip("inapplicable")], "conformant", 0],
  ["the deployment declares that it lacks a capability", [{}, skip("not offered")], "conformant", 0],
  ["other capabilities were not selected", [{}, skip("selection")], "conformant", 0],
  ["one failed", [{ verdict: "fail" }, { verdict: "inconclusive" }], "not conformant", 1],
  ["one is inconclusive", [{ verdict: "inconclusive" }, skip("missing")], "inconclusive", 2],
  ["a recommendation is inconclusive", [{}, { verdict: "inconclusive", level: "recommended" }], "conformant", 0],
  ["all failures are known", [{ verdict: "fail", knownFailure: "why" }], "known failures", 0],
  [
    "one of two failures is known",
    [{ verdict: "fail", knownFailure: "why" }, { verdict: "fail" }],
    "not conformant",
    1,
  ],
])("when %s", (_, ended, verdict, exitCode) => {
  expect(conclude(ended.map(rule), SMOKE)).toMatchObject({ verdict, exitCode });
});

test("selected rules that pass are a success only if the user says that they are enough", () => {
  const rules = [rule({}), rule(skip("selection"))];
  const selected = { ...SMOKE, rules: ["RBS-OPEN"] };
  expect(conclude(rules, selected)).toMatchObject({ verdict: "incomplete", exitCode: 3 });
  expect(conclude(rules, { ...selected, isPartial: true })).toMatchObject({ verdict: "passed", exitCode: 0 });
  const failed = [...rules, rule({ verdict: "fail" })];
  expect(conclude(failed, { ...selected, isPartial: true })).toMatchObject({ verdict: "not conformant", exitCode: 1 });
});

test("rules that could not be tested are accepted if the user says so", () => {
  const verdict = conclude([rule({}), rule(skip("missing"))], { ...SMOKE, isPartial: true });
  expect(verdict).toMatchObject({ verdict: "passed", exitCode: 0, why: "1 of 1 rule passed; 1 could not be tested." });
});

test("an incomplete run says which capabilities are conformant, and what to add for the others", () => {
  const lacking = (capability: "isolation" | "quota", reason: string): ReportedRule =>
    rule({ capability, ...skip("missing", { reason }) });
  const others = [
    ...[rule({ capability: "isolation" }), lacking("isolation", "It needs --token-other-account.")],
    ...[lacking("quota", "It needs --token-limited."), lacking("quota", "The account has no units left.")],
  ];
  const { why, capabilities } = conclude([rule({}), ...others], SMOKE);
  expect(why).toBe(
    "0 rules failed; core is conformant, but 3 rules were not tested. " +
      "Add --token-other-account --token-limited. The account has no units left.",
  );
  const quota = { capability: "quota", verdict: "not tested" };
  expect(capabilities).toContainEqual({
    ...quota,
    why: "2 rules. Add --token-limited. The account has no units left.",
  });
});

test("an incomplete run says that rules failed for known reasons", () => {
  const { why } = conclude([rule({ verdict: "fail", knownFailure: "why" }), rule(skip("missing"))], SMOKE);
  expect(why).toMatch(/^1 rule failed for known reasons, but 1 rule was not tested/);
});

test("a capability without a tested rule doesn't make the run incomplete", () => {
  const verdict = conclude([rule({}), rule({ capability: "quota", ...skip("missing") })], SMOKE);
  const why = "1 rule passed and 0 failed; 1 of other capabilities was not tested.";
  expect(verdict).toMatchObject({ verdict: "conformant", exitCode: 0, why });
  expect(toTitle({ ...verdict, profile: "full" })).toBe("conformant in core");
  expect(conclude([rule(skip("missing"))], SMOKE)).toMatchObject({ verdict: "incomplete", exitCode: 3 });
});

test("each selected capability has its own verdict", () => {
  const rules = [
    rule({}),
    rule({ capability: "desktop", ...skip("not offered") }),
    rule({ capability: "quota", ...skip("missing", { reason: "It needs --token-limited." }) }),
    rule({ capability: "idle", verdict: "fail" }),
    rule({ capability: "ai", ...skip("selection") }),
  ];
  expect(conclude(rules, SMOKE)).toMatchObject({
    verdict: "not conformant",
    capabilities: [
      { capability: "core", verdict: "conformant", why: null },
      { capability: "desktop", verdict: "not offered", why: null },
      { capability: "idle", verdict: "not conformant", why: "1 of 1 tested rule failed." },
      { capability: "quota", verdict: "not tested", why: "1 rule. Add --token-limited." },
    ],
  });
});

test("failed decisions count as failures and are also counted separately", () => {
  const counts = countRules([rule({ verdict: "fail", level: "decision" }), rule({ verdict: "fail" }), rule({})]);
  expect(counts).toMatchObject({ pass: 1, fail: 2, decisionFailures: 1 });
});
