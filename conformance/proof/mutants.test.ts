import { expect, test } from "vitest";
import { RULES } from "../src/registry/registry.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { MUTANTS } from "./mutants.ts";
import { describeFates, fateOf, toOutcome } from "./report/outcome.ts";
import { describeMatrix } from "./report/table.ts";

const RULE_IDS = new Set<string>(RULES.map(({ id }) => id));

test("mutants have unique ids and titles", () => {
  for (const names of [MUTANTS.map(({ id }) => id), MUTANTS.map(({ title }) => title)]) {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
});

test("mutants name only existing rules, and name each rule only once", () => {
  for (const { id, killedBy } of MUTANTS) {
    expect([id, killedBy.filter((rule) => !RULE_IDS.has(rule))]).toEqual([id, []]);
    expect([id, new Set(killedBy).size]).toEqual([id, killedBy.length]);
  }
});

test("every rule must detect at least one mutant", () => {
  const named = new Set<string>(MUTANTS.flatMap(({ killedBy }) => killedBy));
  expect(RULES.map(({ id }) => id).filter((id) => !named.has(id))).toEqual([]);
});

test("titles are sentences without a full stop", () => {
  for (const { title } of [...MUTANTS, ...EQUIVALENTS]) expect(title).toMatch(/^\w.*[^.\s]$/s);
});

test("every call of a mutant's `fault` creates a new fault", () => {
  for (const { fault } of MUTANTS) expect(fault()).not.toBe(fault());
});

test("a mutant survives if one of its rules misses it, and is untested if its rules don't run", () => {
  const [mutant] = MUTANTS;
  if (mutant === undefined) throw new Error("The list of mutants is empty.");
  const tried = mutant.killedBy;
  expect(fateOf(toOutcome(mutant, { tried, detectedBy: tried }))).toBe("killed");
  expect(fateOf(toOutcome(mutant, { tried, detectedBy: tried.slice(1) }))).toBe("SURVIVED");
  expect(fateOf(toOutcome(mutant, { tried: [], detectedBy: [] }))).toBe("untested");
});

test("the table shows every mutant and marks the survivors", () => {
  const outcomes = MUTANTS.map((mutant) => toOutcome(mutant, { tried: mutant.killedBy, detectedBy: mutant.killedBy }));
  const [first] = MUTANTS;
  if (first === undefined) throw new Error("The list of mutants is empty.");
  const survived = [toOutcome(first, { tried: first.killedBy, detectedBy: [] }), ...outcomes.slice(1)];
  const table = describeMatrix(survived);
  expect(table.match(/^ {2}killed/gm)).toHaveLength(MUTANTS.length - 1);
  expect(table).toMatch(new RegExp(`^ {2}SURVIVED {2}${first.id}`, "m"));
  expect(describeFates(survived)).toContain(`${MUTANTS.length - 1} of ${MUTANTS.length} faulty servers were detected`);
});
