import { RULES } from "../src/registry/registry.ts";
import { type Rule, layerOf } from "../src/rules/rule.ts";
import type { RuleResult } from "../src/run/verdict.ts";
import type { Layer, RuleId } from "../src/contract/vocabulary.ts";
import { runSuite } from "../src/run/run-suite.ts";
import { startFaultyServer } from "./faulty-server.ts";
import type { Browsers } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";
import { runFuzzRules, toOptions } from "./try-mutant.ts";

const PARALLEL: Readonly<Record<Browsers, number>> = {
  // The same value as in the profile `full`.
  fake: 8,
  // Starting a real browser keeps a processor busy.
  real: 2,
};

/** Rules that pass only with real browsers. */
const OF_PAGES: ReadonlySet<RuleId> = new Set(
  MUTANTS.flatMap(({ browsers, killedBy }) => (browsers === "real" ? killedBy : [])),
);

/**
 * Runs the suite on the correct server, with real browsers for rules that inspect pages and fake browsers otherwise.
 * @returns Results that reveal an error in the suite or in the server.
 */
export async function tryCorrect(seed: number, layers: readonly Layer[]): Promise<readonly RuleResult[]> {
  const rules = RULES.filter((rule) => layers.includes(layerOf(rule)));
  const isOfPages = ({ id }: Rule): boolean => OF_PAGES.has(id);
  const [ofPages, others] = [rules.filter(isOfPages), rules.filter((rule) => !isOfPages(rule))];
  const fake = await tryRules("fake", others, seed);
  const real = await tryRules("real", ofPages, seed);
  return [
    ...fake.filter(({ verdict }) => verdict !== "pass" && verdict !== "skip"),
    // With real browsers, even a skip is an error, because it means that the rule found no page.
    ...real.filter(({ verdict }) => verdict !== "pass"),
  ];
}

async function tryRules(browsers: Browsers, rules: readonly Rule[], seed: number): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  await using server = await startFaultyServer(undefined, browsers);
  const played = rules.filter(({ kind }) => kind !== "fuzz").map(({ id }) => id);
  const options = { ...toOptions(server, played, seed), parallel: PARALLEL[browsers] };
  const results = await runSuite(options, () => {});
  return played.length === rules.length ? results : [...results, ...(await runFuzzRules(options))];
}
