import { expect, test } from "vitest";
import { describePassed, readOutcomes } from "./outcomes.ts";
import type { Scenario } from "./scenario-table.ts";

const LIFECYCLE: Scenario = { id: "lifecycle", title: "Life", on: ["fake", "real"] };
const UNKNOWN: Scenario = {
  id: "error.Unknown",
  title: "Unknown",
  on: ["mock", "fake", "real"],
  error: {
    name: "Unknown",
    status: 500,
    class: "UnknownError",
    provoke: { mock: "answer", fake: "answer", real: "arguments" },
  },
};
const OPTIONS: Scenario = { id: "options", title: "Options", on: ["mock", "fake", "real"] };

function report(
  ...lines: readonly (readonly [language: string, stage: string, id: string, outcome?: string])[]
): string {
  return lines
    .map(([language, stage, id, outcome = "passed"]) => `${JSON.stringify({ language, stage, id, outcome })}\n`)
    .join("");
}

const LIVE = [
  ["go", "fake", "lifecycle"],
  ["go", "real", "lifecycle"],
] as const;

test("a report with every scenario on every stage has no problems", () => {
  const { problems } = readOutcomes(report(...LIVE, ["java", "mock", "nonsense"]), "go", [LIFECYCLE]);
  expect(problems).toStrictEqual([]);
});

test("missing scenarios are listed with their stages", () => {
  const text = report(...LIVE, ["go", "fake", "options"], ["java", "real", "options"]);
  expect(readOutcomes(text, "go", [LIFECYCLE, OPTIONS]).problems).toStrictEqual(["options did not run on mock, real"]);
});

test("unexpected scenarios and stages are listed", () => {
  const text = report(...LIVE, ["go", "mock", "lifecycle"], ["go", "fake", "life"]);
  expect(readOutcomes(text, "go", [LIFECYCLE]).problems).toStrictEqual([
    "lifecycle ran on mock, which the table does not list",
    "life ran on fake, which the table does not list",
  ]);
});

test("a language without a report yields one problem", () => {
  expect(readOutcomes(report(...LIVE), "java", [LIFECYCLE, OPTIONS]).problems).toStrictEqual(["no scenario ran"]);
});

test("a cell lists the stages on which a scenario passed, and a single failure removes a stage from the cell", () => {
  const text = report(["go", "real", "options"], ["go", "mock", "options"], ["go", "fake", "options", "failed"]);
  const outcomes = readOutcomes(`${text}${report(["go", "fake", "options"])}`, "go", [OPTIONS, LIFECYCLE]);
  expect(describePassed(OPTIONS, outcomes)).toBe("mock, real");
  expect(describePassed(LIFECYCLE, outcomes)).toBe("–");
});

test("a cell marks stages on which the proxy responded", () => {
  const text = report(...UNKNOWN.on.map((stage) => ["go", stage, UNKNOWN.id] as const));
  expect(describePassed(UNKNOWN, readOutcomes(text, "go", [UNKNOWN]))).toBe("mock, fake*, real");
});
