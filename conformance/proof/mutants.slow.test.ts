import { expect, test } from "vitest";
import { tryCorrect } from "./correct.ts";
import { MUTANTS } from "./mutants.ts";
import { toOutcome } from "./outcome.ts";
import type { Trial } from "./try-mutant.ts";
import { tryMutants } from "./try-mutants.ts";

const LAYERS = ["lifecycle", "model"] as const;

test("no rule and no random sequence fails on the correct server", async () => {
  expect(await tryCorrect(1, LAYERS)).toEqual([]);
});

test("every mutant is detected by the rules that have to detect it", async () => {
  const trials = new Map<string, Trial>();
  await tryMutants(MUTANTS, { how: "named", layers: LAYERS, seed: 1 }, (trial) => trials.set(trial.mutant, trial));
  const missed = MUTANTS.map((mutant) => {
    const trial = trials.get(mutant.id);
    return [mutant.id, trial === undefined ? "not tried" : toOutcome(mutant, trial).missedBy] as const;
  });
  expect(missed.filter(([, rules]) => rules.length > 0)).toEqual([]);
  expect([...trials.values()].filter(({ noticedBy }) => noticedBy.length === 0)).toEqual([]);
});
