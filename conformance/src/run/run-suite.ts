import { fileURLToPath } from "node:url";
import { createVitest, type TestCase } from "vitest/node";
import type { RuleResult } from "./verdict.ts";
import type { RuleId } from "../contract/vocabulary.ts";
import { type RunOptions, maxConcurrentScenarios } from "../session/run-options.ts";
import { INTERRUPTED } from "../session/session.ts";

/** Time limit for closing browsers at the end of a run. */
const CLEANUP_MS = 60_000;

/**
 * Runs the scenarios and checks the exchanges in Vitest.
 * @param onResult Called with each result.
 * @param interruption Aborting it stops all scenarios and closes their browsers.
 * @returns The results of the rules that finished.
 * @throws {Error} Once all rules have run, if other code failed.
 */
export async function runSuite(
  options: RunOptions,
  onResult: (result: RuleResult) => void,
  interruption?: AbortSignal,
): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const take = (testCase: TestCase): void => {
    // When interrupted, Vitest reports some tests twice.
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
      // A scenario may wait a long time for its turn, and its own deadline starts only then.
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
  // Vitest sets the exit code when a test fails, but the suite derives the exit code from the verdicts.
  process.exitCode = exitCode;
  if (problems.length > 0) throw new Error(`An error occurred outside of the rules: ${toText(problems[0])}`);
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
 * Remembers the signal listeners. Vitest adds listeners that exit on a signal, but the suite must close browsers first.
 * @returns A function that removes the added listeners.
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
