import { type OperationId, operations } from "@remote-browser/contract/operations";
import type { FuzzRule } from "../registry/rule.ts";
import type { Scenario, ToolReport } from "./tool-report.ts";

const PHASES = ["examples", "coverage", "fuzzing", "stateful"];

/** Why a rule that nothing was found against may be broken all the same; undefined when it was really tried. */
export function whyInconclusive({ fuzzCheck }: FuzzRule, report: ToolReport, made: number): string | undefined {
  const { problems, phases, scenarios } = report;
  const [problem, ...others] = problems;
  if (problem !== undefined) {
    return `Schemathesis could not try it: ${problem}${others.length > 0 ? ` (${others.length} more problems.)` : ""}`;
  }
  const missing = PHASES.filter((phase) => !phases.includes(phase));
  if (missing.length > 0) return `Schemathesis did not come to its end: ${missing.join(", ")} is missing.`;
  if (!wasAnswered(scenarios, "openBrowser")) {
    return "No Open was answered with 200, so little was tried: the token, the plan or the machine forbids it.";
  }
  const sequences = scenarios.filter(({ phase }) => phase === "stateful");
  if (fuzzCheck === "what_open_opened" && !wasAnswered(sequences, "closeBrowser")) {
    return "No sequence came to a Close that was answered with 200.";
  }
  if (made === 0) return `Schemathesis never made its check ${fuzzCheck}.`;
  return undefined;
}

function wasAnswered(scenarios: readonly Scenario[], id: OperationId): boolean {
  return scenarios
    .flatMap(({ recorder }) => Object.values(recorder.interactions))
    .some(({ request, response }) => request.uri.endsWith(operations[id].path) && response?.status_code === 200);
}
