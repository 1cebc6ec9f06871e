import { expect, test } from "vitest";
import { RULES } from "../src/registry/registry.ts";
import { tryCorrect } from "./correct.ts";
import { MUTANTS } from "./mutants.ts";
import { toOutcome } from "./report/outcome.ts";
import { type Trial, tryRules } from "./try-mutant.ts";
import { tryMutants } from "./try-mutants.ts";

const LAYERS = ["lifecycle", "model"] as const;

test("the correct server passes all rules and random sequences", async () => {
  expect(await tryCorrect(1, LAYERS)).toEqual([]);
});

test("every mutant is detected by each of its rules", async () => {
  const trials = new Map<string, Trial>();
  await tryMutants(MUTANTS, { how: "named", layers: LAYERS, seed: 1 }, (trial) => trials.set(trial.mutant, trial));
  const missed = MUTANTS.map((mutant) => {
    const trial = trials.get(mutant.id);
    return [mutant.id, trial === undefined ? "not tested" : toOutcome(mutant, trial).missedBy] as const;
  });
  expect(missed.filter(([, rules]) => rules.length > 0)).toEqual([]);
  expect([...trials.values()].filter(({ detectedBy }) => detectedBy.length === 0)).toEqual([]);
});

test("rules that look at pages are skipped with fake browsers", async () => {
  const verdicts: string[] = [];
  for (const mutant of MUTANTS.filter(({ browsers }) => browsers === "real")) {
    const rules = RULES.filter(({ id }) => mutant.killedBy.includes(id));
    const results = await tryRules(mutant, rules, 1);
    verdicts.push(...results.map(({ rule, verdict }) => `${mutant.id}: ${rule} ${verdict}`));
  }
  expect(verdicts).not.toEqual([]);
  // Rules that look at pages are skipped, because fake browsers have no pages.
  expect(verdicts.filter((verdict) => !verdict.endsWith(" skip"))).toEqual([]);
});
