import { RULES } from "../src/registry/registry.ts";
import { layerOf } from "../src/registry/rule.ts";
import type { RuleResult } from "../src/registry/verdict.ts";
import type { Layer } from "../src/registry/vocabulary.ts";
import { runSuite } from "../src/run/run-suite.ts";
import { startFaultyServer } from "./faulty-server.ts";
import { fuzz } from "./fuzz.ts";
import { toOptions } from "./try-mutant.ts";

/** As in the profile `full`. */
const PARALLEL = 8;

/** Runs the suite against the correct server, as operators run it. @returns Failed rules, which is empty when suite and server are correct. */
export async function tryCorrect(seed: number, layers: readonly Layer[]): Promise<readonly RuleResult[]> {
  await using server = await startFaultyServer();
  const rules = RULES.filter((rule) => layers.includes(layerOf(rule)));
  const played = rules.filter(({ kind }) => kind !== "fuzz").map(({ id }) => id);
  const options = { ...toOptions(server, played, seed), parallel: PARALLEL };
  const results = await runSuite(options, () => {});
  const fuzzed = layers.includes("schemathesis") ? await fuzz(options) : [];
  return [...results, ...fuzzed].filter(({ verdict }) => verdict !== "pass" && verdict !== "skip");
}
