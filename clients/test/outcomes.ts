import type { LanguageId } from "./languages/language.ts";
import { type Scenario, STAGE_NAMES, type StageName } from "./scenario-table.ts";

/** A line in the report: the result of one scenario on one stage. */
type Line = {
  readonly language: string;
  readonly stage: string;
  readonly id: string;
  readonly outcome: "passed" | "failed";
};

/** The results of one language. */
export type Outcomes = {
  /** Whether a scenario passed on a stage. */
  passed(scenario: Scenario, stage: StageName): boolean;
  /** Scenarios that didn't run, and results of unknown scenarios or stages. */
  readonly problems: readonly string[];
};

/** @param report The results of all languages, one per line. */
export function readOutcomes(report: string, language: LanguageId, scenarios: readonly Scenario[]): Outcomes {
  const lines = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.language === language);
  const of = (id: string, stage: string): readonly Line[] =>
    lines.filter((line) => line.id === id && line.stage === stage);
  const missing = scenarios.flatMap(({ id, on }) => {
    const stages = on.filter((stage) => of(id, stage).length === 0);
    return stages.length === 0 ? [] : [`${id} did not run on ${stages.join(", ")}`];
  });
  const unknown = lines
    .filter(({ id, stage }) => !scenarios.some((one) => one.id === id && one.on.some((name) => name === stage)))
    .map(({ id, stage }) => `${id} ran on ${stage}, which the table does not list`);
  return {
    passed({ id }, stage) {
      const found = of(id, stage);
      return found.length > 0 && found.every(({ outcome }) => outcome === "passed");
    },
    problems: lines.length === 0 ? ["no scenario ran"] : [...missing, ...unknown],
  };
}

/**
 * Returns a cell of the table: the stages on which a scenario passed. An asterisk means that the proxy responded
 * instead of the service. The mock needs no asterisk, because its responses are all examples from the contract.
 */
export function describePassed(scenario: Scenario, outcomes: Outcomes): string {
  const passed = STAGE_NAMES.filter((stage) => outcomes.passed(scenario, stage));
  const isOfStage = (name: StageName): boolean => name !== "mock" && scenario.error?.provoke[name] === "answer";
  return passed.length === 0 ? "–" : passed.map((name) => (isOfStage(name) ? `${name}*` : name)).join(", ");
}
