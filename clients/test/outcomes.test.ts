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

test("every scenario on every stage, and all is well", () => {
  const { problems } = readOutcomes(report(...LIVE, ["java", "mock", "nonsense"]), "go", [LIFECYCLE]);
  expect(problems).toStrictEqual([]);
});

test("what was not carried out is named with its stages", () => {
  const text = report(...LIVE, ["go", "fake", "options"], ["java", "real", "options"]);
  expect(readOutcomes(text, "go", [LIFECYCLE, OPTIONS]).problems).toStrictEqual([
    "options was not carried out on mock, real",
  ]);
});

test("what the table does not ask for is named", () => {
  const text = report(...LIVE, ["go", "mock", "lifecycle"], ["go", "fake", "life"]);
  expect(readOutcomes(text, "go", [LIFECYCLE]).problems).toStrictEqual([
    "lifecycle was carried out on mock, which the table does not ask for",
    "life was carried out on fake, which the table does not ask for",
  ]);
});

test("a language that reported nothing is one problem, not one for each scenario", () => {
  expect(readOutcomes(report(...LIVE), "java", [LIFECYCLE, OPTIONS]).problems).toStrictEqual([
    "no scenario was carried out",
  ]);
});

test("a cell names the stages on which a scenario passed, and a failure is none however often it passed", () => {
  const text = report(["go", "real", "options"], ["go", "mock", "options"], ["go", "fake", "options", "failed"]);
  const outcomes = readOutcomes(`${text}${report(["go", "fake", "options"])}`, "go", [OPTIONS, LIFECYCLE]);
  expect(describePassed(OPTIONS, outcomes)).toBe("mock, real");
  expect(describePassed(LIFECYCLE, outcomes)).toBe("–");
});

test("a cell marks the servers in whose place the stage answers", () => {
  const text = report(...UNKNOWN.on.map((stage) => ["go", stage, UNKNOWN.id] as const));
  expect(describePassed(UNKNOWN, readOutcomes(text, "go", [UNKNOWN]))).toBe("mock, fake*, real");
});
