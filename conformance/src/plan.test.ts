import { expect, test } from "vitest";
import { readOptions, type Options } from "./options.ts";
import { planRun } from "./plan.ts";
import type { FuzzRule, Rule, ScenarioRule } from "./rules/rule.ts";

const COMMON = { level: "required", capability: "core", at: "", sentence: "" } as const;

function scenario(id: Rule["id"], differing: Partial<ScenarioRule> = {}): ScenarioRule {
  return { ...COMMON, kind: "scenario", id, opens: 1, check: () => Promise.resolve(), ...differing };
}

const FUZZ: FuzzRule = { ...COMMON, kind: "fuzz", id: "RBS-FUZZ-01", fuzzCheck: "x" };
const RULES: readonly Rule[] = [
  { ...COMMON, kind: "exchange", id: "RBS-ANSWER-01", judge: () => undefined },
  scenario("RBS-OPEN-01"),
  scenario("RBS-OPEN-02", { capability: "desktop", opens: 0 }),
  scenario("RBS-IDLE-01", { waitsS: 3, capability: "idle", opens: 2 }),
  scenario("RBS-IDLE-08", { waitsS: 30, isLong: true }),
  scenario("RBS-LIMIT-01", { needs: ["limited"], opens: 4 }),
  FUZZ,
  { ...FUZZ, id: "RBS-FUZZ-02" },
];

const NO_FUZZ = { contract: "1.1", lacks: [], fuzzOpens: 0 } as const;

function options(...args: readonly string[]): Options {
  const read = readOptions(["--base-url", "http://127.0.0.1:1", "--token", "x", ...args], {});
  if (typeof read === "string") throw new Error("The arguments only request the help text.");
  return read;
}

function planned(...args: readonly string[]): { ids: string[]; reasons: Record<string, string>; opens: number } {
  const { rules, skipped, opens } = planRun(RULES, options(...args), { contract: "1.1", lacks: [], fuzzOpens: 10 });
  return {
    ids: rules.map(({ id }) => id),
    reasons: Object.fromEntries(skipped.map(({ rule: { id }, reason }) => [id, reason])),
    opens,
  };
}

test("full includes all rules whose tokens are available, and counts Schemathesis once", () => {
  const { ids, reasons, opens } = planned("--profile", "full");
  expect(ids).toEqual(RULES.map(({ id }) => id).filter((id) => id !== "RBS-LIMIT-01"));
  expect(reasons).toEqual({ "RBS-LIMIT-01": "It needs --token-limited." });
  // The shared browsers, plus the ones that each rule opens.
  expect(opens).toBe(5 + 1 + 2 + 1 + 10);
});

test("smoke skips Schemathesis and rules that wait", () => {
  const { ids } = planned("--profile", "smoke", "--token-limited", "y");
  expect(ids).toEqual(["RBS-ANSWER-01", "RBS-OPEN-01", "RBS-OPEN-02", "RBS-LIMIT-01"]);
});

test("smoke skips rules that open browsers only to check a detail", () => {
  const rules = [scenario("RBS-OPEN-01"), scenario("RBS-OPEN-02", { isDetail: true })];
  const { rules: chosen } = planRun(rules, options("--profile", "smoke"), NO_FUZZ);
  expect(chosen.map(({ id }) => id)).toEqual(["RBS-OPEN-01"]);
  expect(planRun(rules, options(), NO_FUZZ).skipped).toEqual([]);
});

test("deploy skips slow rules", () => {
  expect(planned().reasons["RBS-IDLE-08"]).toContain("deploy");
});

test("rules that would exceed --max-opens are skipped with a reason", () => {
  const { ids, reasons, opens } = planned("--profile", "full", "--max-opens", "7");
  expect(opens).toBeLessThanOrEqual(7);
  expect(ids).toEqual(["RBS-ANSWER-01", "RBS-OPEN-01", "RBS-OPEN-02", "RBS-IDLE-08"]);
  expect(reasons["RBS-IDLE-01"]).toContain("--max-opens 7");
  expect(planned("--max-opens", "0").opens).toBe(0);
});

test("rules can be selected by id, area and capability", () => {
  expect(planned("--rule", "RBS-OPEN").ids).toEqual(["RBS-OPEN-01", "RBS-OPEN-02"]);
  expect(planned("--rule", "RBS-OPEN-01", "--rule", "RBS-FUZZ-01").ids).toEqual(["RBS-OPEN-01", "RBS-FUZZ-01"]);
  expect(planned("--capability", "desktop").ids).toEqual(["RBS-OPEN-02"]);
});

test("the deploy profile counts only the browsers that a rule opens in it", () => {
  const rules = [scenario("RBS-MODEL-01", { opens: 36, opensInDeploy: 6 })];
  expect(planRun(rules, options(), NO_FUZZ).opens).toBe(5 + 6);
  expect(planRun(rules, options("--profile", "full"), NO_FUZZ).opens).toBe(5 + 36);
});

test("rules of later contract versions are skipped with a reason", () => {
  const rules = [scenario("RBS-OPEN-01"), scenario("RBS-INFO-01", { since: "1.1" })];
  const { skipped } = planRun(rules, options(), { contract: "1.0", lacks: [], fuzzOpens: 0 });
  expect(skipped.map(({ rule: { id }, reason }) => [id, reason])).toEqual([
    ["RBS-INFO-01", "The deployment implements contract version 1.0, which doesn't include this rule."],
  ]);
});

test("rules that need the suite's site run only with --site", () => {
  const rules = [scenario("RBS-SITE-01", { needsSite: true })];
  expect(planRun(rules, options(), NO_FUZZ).skipped[0]?.reason).toBe("It needs --site.");
  expect(planRun(rules, options("--site", "http://127.0.0.1:0"), NO_FUZZ).skipped).toEqual([]);
});

test("Schemathesis can be turned off", () => {
  expect(planned("--schemathesis", "off").reasons["RBS-FUZZ-01"]).toContain("turned off");
});

test("rules of a capability that the deployment declares as missing are skipped", () => {
  const { skipped } = planRun(RULES, options(), { ...NO_FUZZ, lacks: ["desktop"] });
  const reason = "The deployment declares that it lacks desktop.";
  expect(skipped).toContainEqual({ rule: RULES[2], reason, skippedBy: "not offered" });
});
