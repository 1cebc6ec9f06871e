import { fileURLToPath } from "node:url";
import { createVitest, type TestCase } from "vitest/node";
import type { RuleResult } from "../registry/verdict.ts";
import type { RuleId } from "../registry/vocabulary.ts";
import { type RunOptions, maxConcurrentScenarios } from "./run-options.ts";
import { INTERRUPTED } from "./session.ts";

/** For closing what a run has left open. */
const CLEANUP_MS = 60_000;

/**
 * Runs the scenarios and judges the exchanges, with Vitest as the runner.
 * @param onResult Hears of every rule as it ends.
 * @param interruption When it is aborted, scenarios send nothing more, and what they opened is closed.
 * @returns The result of each; a rule that did not end has none.
 * @throws {Error} At the end, when something went wrong that is no rule's.
 */
export async function runSuite(
  options: RunOptions,
  onResult: (result: RuleResult) => void,
  interruption?: AbortSignal,
): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const take = (testCase: TestCase): void => {
    // Vitest tells of some twice when it is interrupted.
    if (results.some(({ rule }) => rule === testCase.name)) return;
    const result = testCase.meta().ruleResult ?? toCrash(testCase, interruption);
    results.push(result);
    onResult(result);
  };
  const problems: unknown[] = [];
  const suite = fileURLToPath(new URL(`suite${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));
  const exitCode = process.exitCode;
  const keepSignals = holdSignals();
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: fileURLToPath(new URL(".", import.meta.url)),
      include: [suite],
      exclude: [],
      watch: false,
      cache: false,
      pool: "threads",
      isolate: false,
      fileParallelism: false,
      // Most of the time a scenario may only wait for its turn; it has a deadline of its own from then on.
      testTimeout: 0,
      hookTimeout: CLEANUP_MS,
      maxConcurrency: maxConcurrentScenarios(options),
      provide: { runOptions: options },
      reporters: [{ onTestCaseResult: take, onTestRunEnd: (_, errors) => void problems.push(...errors) }],
    },
    { logLevel: "silent" },
  );
  keepSignals();
  interruption?.addEventListener("abort", () => void vitest.cancelCurrentRun("keyboard-input"));
  if (interruption?.aborted !== true) await vitest.start();
  await vitest.close();
  // Vitest sets it when a test fails; what this process ends with is decided by the verdicts.
  process.exitCode = exitCode;
  if (problems.length > 0) throw new Error(`A check went wrong outside of its rule: ${toText(problems[0])}`);
  return results;
}

function toText(problem: unknown): string {
  const { message } = (problem ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : String(problem);
}

function toCrash(testCase: TestCase, interruption: AbortSignal | undefined): RuleResult {
  const { errors = [] } = testCase.result();
  const crash = `The check itself failed: ${errors[0]?.message ?? "it was not run"}`;
  const reason = interruption?.aborted === true ? INTERRUPTED : crash;
  return { rule: testCase.name as RuleId, verdict: "inconclusive", reason, findings: [], durationMs: 0 };
}

/**
 * Vitest ends the process at a signal; who runs the suite wants to close browsers first.
 * @returns Takes away the listeners that were added since.
 */
function holdSignals(): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const own = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
  return () => {
    for (const signal of signals) {
      for (const listener of process.listeners(signal)) {
        if (own.get(signal)?.includes(listener) !== true) process.off(signal, listener);
      }
    }
  };
}
