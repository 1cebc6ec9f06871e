import { expect, test } from "vitest";
import { RULES } from "../src/registry/registry.ts";
import { EQUIVALENTS, OF_REAL_PAGES } from "./equivalents.ts";
import { MUTANTS } from "./mutants.ts";
import { fateOf, scoresOf, toOutcome } from "./outcome.ts";
import { drawMatrix } from "./picture.ts";
import { describeMatrix } from "./table.ts";

const RULE_IDS = new Set<string>(RULES.map(({ id }) => id));

test("no two mutants have the same id or the same title", () => {
  for (const names of [MUTANTS.map(({ id }) => id), MUTANTS.map(({ title }) => title)]) {
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  }
});

test("every mutant names existing rules, each once", () => {
  for (const { id, killedBy } of MUTANTS) {
    expect([id, killedBy.filter((rule) => !RULE_IDS.has(rule))]).toEqual([id, []]);
    expect([id, new Set(killedBy).size]).toEqual([id, killedBy.length]);
  }
});

test("every rule has a mutant that it has to detect, except rules that need pages", () => {
  const named = new Set<string>(MUTANTS.flatMap(({ killedBy }) => killedBy));
  expect(RULES.map(({ id }) => id).filter((id) => !named.has(id) && !OF_REAL_PAGES.includes(id))).toEqual([]);
});

test("a title is a sentence about the fault, without a full stop", () => {
  for (const { title } of [...MUTANTS, ...EQUIVALENTS]) expect(title).toMatch(/^[A-Z\d].*[^.\s]$/s);
});

test("each server gets a new fault", () => {
  for (const { fault } of MUTANTS) expect(fault()).not.toBe(fault());
});

test("a mutant is alive when a rule that has to detect it doesn't, and unseen when no such rule ran", () => {
  const [mutant] = MUTANTS;
  if (mutant === undefined) throw new Error("There should be mutants.");
  const tried = mutant.killedBy;
  expect(fateOf(toOutcome(mutant, { tried, noticedBy: tried }))).toBe("killed");
  expect(fateOf(toOutcome(mutant, { tried, noticedBy: tried.slice(1) }))).toBe("ALIVE");
  expect(fateOf(toOutcome(mutant, { tried: [], noticedBy: [] }))).toBe("unseen");
});

test("table and picture show every mutant and the survivors", () => {
  const outcomes = MUTANTS.map((mutant) => toOutcome(mutant, { tried: mutant.killedBy, noticedBy: mutant.killedBy }));
  const [first] = MUTANTS;
  if (first === undefined) throw new Error("There should be mutants.");
  const survived = [toOutcome(first, { tried: first.killedBy, noticedBy: [] }), ...outcomes.slice(1)];
  const table = describeMatrix(survived);
  const picture = drawMatrix(survived, scoresOf(survived));
  expect(table.match(/^ {2}killed/gm)).toHaveLength(MUTANTS.length - 1);
  expect(table).toMatch(new RegExp(`^ {2}ALIVE {3}${first.id}`, "m"));
  expect(picture).toContain(`${MUTANTS.length - 1} of ${MUTANTS.length} faulty servers were detected`);
  expect(picture.match(/<g>/g)).toHaveLength(MUTANTS.length);
  expect(picture).not.toMatch(/(href|src|url\()/);
});
