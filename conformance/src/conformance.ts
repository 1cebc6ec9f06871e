import { operationsOf } from "./contract/contract.ts";
import { contractOf } from "./contract/versions.ts";
import { compareLists } from "./preflight/browser-lists.ts";
import type { FuzzerChoice } from "./options.ts";
import type { Plan } from "./plan.ts";
import { ofSuite } from "./plan.ts";
import { preflight } from "./preflight/preflight.ts";
import { type FuzzRule, type Rule, layerOf } from "./rules/rule.ts";
import type { RuleResult } from "./run/verdict.ts";
import { conclude, countRules } from "./reports/conclusion.ts";
import { REPORT_SCHEMA_VERSION, type ReportedRule, type RunReport } from "./reports/report.ts";
import type { RunOptions } from "./session/run-options.ts";
import { runSuite } from "./run/run-suite.ts";
import { fuzzOpens } from "./schemathesis/command.ts";
import { runSchemathesis } from "./schemathesis/run-schemathesis.ts";

type ConformanceOptions = {
  readonly run: Omit<RunOptions, "rules">;
  readonly plan: Plan;
  readonly fuzzer: FuzzerChoice;
  readonly isStrict: boolean;
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

/** Tests a deployment against the contract. Rejects only if the suite itself fails. */
export async function runConformance(options: ConformanceOptions): Promise<RunReport> {
  const { run, plan, fuzzer, knownFailures, tool, isStrict, maxOpens, interruption, onResult } = options;
  const startedAt = new Date();
  const budget = maxOpens === undefined ? undefined : { max: maxOpens, left: maxOpens };
  const chosen: RunOptions = { ...run, budget, rules: plan.rules.map(({ id }) => id) };
  const results = new Map<string, RuleResult>();
  const take = (result: RuleResult): void => {
    results.set(result.rule, result);
    onResult(result);
  };

  const state = await preflight(chosen, plan.opens > 0);
  let leftBehind: readonly string[] = [];
  /** An error of the suite itself. Earlier results still count. */
  let fault: string | undefined;
  if (state.is === "ready") {
    const fuzzRules = plan.rules.filter((rule): rule is FuzzRule => rule.kind === "fuzz");
    // The budget doesn't count the browsers that Schemathesis opens, so reserve them in advance.
    const spent = state.opened + (fuzzRules.length > 0 ? fuzzOpens(run.profile) : 0);
    const runOptions = {
      ...chosen,
      lightKind: state.lightKind,
      foreign: [...state.before.values()].flat().map(({ address }) => address),
      budget: budget && { ...budget, left: budget.left - spent },
    };
    if (ofSuite(plan).length > 0) {
      await runSuite(runOptions, take, interruption).catch((error: unknown) => {
        fault = error instanceof Error ? error.message : String(error);
      });
    }
    if (fuzzRules.length > 0 && !interruption.aborted)
      await runSchemathesis({ ...runOptions, fuzzer }, fuzzRules, take, interruption);
    leftBehind = await compareLists(runOptions, state.before);
  }

  const unfinished = state.is === "ready" ? "The run ended before this rule was tested." : state.why;
  const toRule = (rule: Rule, result: RuleResult): ReportedRule =>
    toReported(rule, result, knownFailures.get(rule.id) ?? null);
  const rules = [
    ...plan.rules.map((rule) => toRule(rule, results.get(rule.id) ?? toUntested(rule, "inconclusive", unfinished))),
    ...plan.skipped.map(({ rule, reason }) => toRule(rule, toUntested(rule, "skip", reason))),
  ].toSorted((left, right) => plan.order.indexOf(left.id) - plan.order.indexOf(right.id));
  const counts = countRules(rules);
  const concluded = conclude(rules, { isStrict });
  const why = state.is === "ready" ? fault : state.why;
  // A failed rule counts even if the run is incomplete.
  const isOpen = why !== undefined && concluded.verdict !== "not conformant";
  const conclusion = isOpen ? { verdict: "inconclusive" as const, why, exitCode: 2 } : concluded;
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
    ...conclusion,
    counts,
    leftBehind,
    rules,
  };
}

function toReported(
  rule: Rule,
  { verdict, reason, findings, durationMs }: RuleResult,
  known: string | null,
): ReportedRule {
  const { id, level, capability, sentence, at } = rule;
  const operations = operationsOf(rule);
  return {
    ...{ id, level, capability, layer: layerOf(rule), sentence, at, operations },
    ...{ verdict, reason, findings, durationMs, knownFailure: known },
  };
}

function toUntested({ id }: Rule, verdict: "skip" | "inconclusive", reason: string): RuleResult {
  return { rule: id, verdict, reason, findings: [], durationMs: 0 };
}
