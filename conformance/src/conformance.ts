import { operationsOf } from "./contract/contract.ts";
import { contractOf } from "./contract/versions.ts";
import { compareLists } from "./preflight/browser-lists.ts";
import type { FuzzerChoice } from "./options.ts";
import type { Plan } from "./plan.ts";
import { ofSuite } from "./plan.ts";
import { type Deployment, findLightKind } from "./preflight/examine.ts";
import { type FuzzRule, type Rule, layerOf } from "./rules/rule.ts";
import type { RuleResult } from "./run/verdict.ts";
import { type Selection, conclude, countRules } from "./reports/conclusion.ts";
import { REPORT_SCHEMA_VERSION, type ReportedRule, type RunReport } from "./reports/report.ts";
import type { RunOptions } from "./session/run-options.ts";
import { runSuite } from "./run/run-suite.ts";
import { fuzzOpens } from "./schemathesis/command.ts";
import { runSchemathesis } from "./schemathesis/run-schemathesis.ts";

type ConformanceOptions = {
  readonly run: Omit<RunOptions, "rules">;
  readonly plan: Plan;
  readonly fuzzer: FuzzerChoice;
  readonly selection: Selection;
  readonly deployment: Deployment;
  /** Maximum number of browsers to open in total. Undefined means no limit. */
  readonly maxOpens: number | undefined;
  /** Reasons for known failures, by rule id. */
  readonly knownFailures: ReadonlyMap<string, string>;
  readonly tool: RunReport["tool"];
  /** Aborting this signal ends the run early and closes the browsers that the run opened. */
  readonly interruption: AbortSignal;
  /** Called with each result when the rule ends. */
  readonly onResult: (result: RuleResult) => void;
};

/**
 * Tests a deployment against the contract.
 * @throws {ConfigError} If the account can't open any browser.
 */
export async function runConformance(options: ConformanceOptions): Promise<RunReport> {
  const { run, plan, fuzzer, knownFailures, tool, selection, deployment, maxOpens } = options;
  const { interruption, onResult } = options;
  const startedAt = new Date();
  const budget = maxOpens === undefined ? undefined : { max: maxOpens, left: maxOpens };
  const chosen: RunOptions = { ...run, budget, rules: plan.rules.map(({ id }) => id) };
  const results = new Map<string, RuleResult>();
  const take = (result: RuleResult): void => {
    results.set(result.rule, result);
    onResult(result);
  };

  /** An error of the suite itself. Earlier results still count. */
  let fault: string | undefined;
  const foreign = [...deployment.before.values()].flat().map(({ address }) => address);
  const protecting = { ...chosen, foreign };
  const { lightKind, opened: tried } = await (plan.opens > 0
    ? findLightKind(protecting)
    : { lightKind: undefined, opened: 0 });
  const fuzzRules = plan.rules.filter((rule): rule is FuzzRule => rule.kind === "fuzz");
  // The budget doesn't count the browsers that Schemathesis opens, so reserve them in advance.
  const spent = tried + (fuzzRules.length > 0 ? fuzzOpens(run.profile) : 0);
  const runOptions = { ...protecting, lightKind, budget: budget && { ...budget, left: budget.left - spent } };
  if (ofSuite(plan).length > 0) {
    await runSuite(runOptions, take, interruption).catch((error: unknown) => {
      fault = error instanceof Error ? error.message : String(error);
    });
  }
  if (fuzzRules.length > 0 && !interruption.aborted) {
    await runSchemathesis({ ...runOptions, fuzzer }, fuzzRules, take, interruption);
  }
  const leftBehind = await compareLists(runOptions, deployment.before);

  const unfinished = "The run ended before this rule was tested.";
  const toRule = (rule: Rule, result: RuleResult): ReportedRule =>
    toReported(rule, result, knownFailures.get(rule.id) ?? null);
  const rules = [
    ...plan.rules.map((rule) => toRule(rule, results.get(rule.id) ?? toUntested(rule, "inconclusive", unfinished))),
    ...plan.skipped.map(({ rule, reason, skippedBy }) =>
      toRule(rule, { ...toUntested(rule, "skip", reason), skippedBy }),
    ),
  ].toSorted((left, right) => plan.order.indexOf(left.id) - plan.order.indexOf(right.id));
  const concluded = conclude(rules, selection);
  // A failed rule counts even if the suite itself failed.
  const isFailed = concluded.verdict === "not conformant";
  const { info } = contractOf(run.contract);
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    tool,
    contract: { title: info.title, version: info.version },
    target: { baseUrl: run.baseUrl },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    profile: run.profile,
    seed: run.seed,
    labelPrefix: run.labelPrefix,
    opens: { planned: plan.opens, used: [...results.values()].reduce((sum, { opened = 0 }) => sum + opened, 0) },
    ...concluded,
    ...(fault !== undefined && !isFailed && { verdict: "inconclusive" as const, why: fault, exitCode: 2 }),
    counts: countRules(rules),
    leftBehind,
    rules,
  };
}

function toReported(
  rule: Rule,
  { verdict, reason, findings, durationMs, skippedBy = "missing" }: RuleResult,
  known: string | null,
): ReportedRule {
  const { id, level, capability, sentence, at } = rule;
  const operations = operationsOf(rule);
  return {
    ...{ id, level, capability, layer: layerOf(rule), sentence, at, operations },
    ...{ verdict, reason, findings, durationMs, knownFailure: known },
    skippedBy: verdict === "skip" ? skippedBy : null,
  };
}

function toUntested({ id }: Rule, verdict: "skip" | "inconclusive", reason: string): RuleResult {
  return { rule: id, verdict, reason, findings: [], durationMs: 0 };
}
