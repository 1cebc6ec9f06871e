import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { FuzzRule } from "../rules/rule.ts";
import type { Scenario, ToolReport } from "./tool-report.ts";

const PHASES = ["examples", "coverage", "fuzzing", "stateful"];

/** Returns why a rule without findings is inconclusive. Undefined if the run tested the rule. */
export function whyInconclusive({ fuzzCheck }: FuzzRule, report: ToolReport, made: number): string | undefined {
  const { problems, phases, scenarios } = report;
  const [problem, ...others] = problems;
  if (problem !== undefined) {
    return `Schemathesis could not test this rule: ${problem}${others.length > 0 ? ` (${others.length} more problems)` : ""}`;
  }
  const missing = PHASES.filter((phase) => !phases.includes(phase));
  if (missing.length > 0) return `Schemathesis did not complete these phases: ${missing.join(", ")}.`;
  if (!wasAnswered(scenarios, "openBrowser")) {
    return "All Open requests failed, so little was tested. Check the token, the plan and the machine's capacity.";
  }
  const sequences = scenarios.filter(({ phase }) => phase === "stateful");
  if (fuzzCheck === "what_open_opened" && !wasAnswered(sequences, "closeBrowser")) {
    return "No sequence contained a successful Close request.";
  }
  if (made === 0) return `Schemathesis never ran its check ${fuzzCheck}.`;
  return undefined;
}

function wasAnswered(scenarios: readonly Scenario[], id: OperationId): boolean {
  return scenarios
    .flatMap(({ recorder }) => Object.values(recorder.interactions))
    .some(({ request, response }) => request.uri.endsWith(operations[id].path) && response?.status_code === 200);
}
