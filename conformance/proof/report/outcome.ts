import { RULES } from "../../src/registry/registry.ts";
import { layerOf } from "../../src/rules/rule.ts";
import { LAYERS, type Layer, type RuleId } from "../../src/contract/vocabulary.ts";
import type { Mutant } from "../mutant.ts";
import type { Trial } from "../try-mutant.ts";

/** A mutant and the rules that ran on it. */
export type Outcome = {
  readonly mutant: Mutant;
  readonly detectedBy: readonly RuleId[];
  readonly tried: readonly RuleId[];
  /** Rules that should have detected the mutant, but didn't. */
  readonly missedBy: readonly RuleId[];
};

/** Number of mutants that a layer detects on its own. */
export type Score = { readonly layer: Layer; readonly killed: number; readonly of: number };

const LAYER_OF: ReadonlyMap<RuleId, Layer> = new Map(RULES.map((rule) => [rule.id, layerOf(rule)]));
const PLACE_OF: ReadonlyMap<RuleId, number> = new Map(RULES.map(({ id }, place) => [id, place]));

export function toOutcome(mutant: Mutant, { detectedBy, tried }: Pick<Trial, "detectedBy" | "tried">): Outcome {
  const missedBy = mutant.killedBy.filter((id) => tried.includes(id) && !detectedBy.includes(id));
  const inOrder = detectedBy.toSorted((one, other) => (PLACE_OF.get(one) ?? 0) - (PLACE_OF.get(other) ?? 0));
  return { mutant, detectedBy: inOrder, tried, missedBy };
}

/** `untested`: no rule detected the mutant, but the rules that must detect it didn't run. */
type Fate = "killed" | "untested" | "SURVIVED";

export function fateOf({ detectedBy, missedBy }: Outcome): Fate {
  if (missedBy.length > 0) return "SURVIVED";
  return detectedBy.length > 0 ? "killed" : "untested";
}

/** Summarizes the outcomes in a sentence. */
export function describeFates(outcomes: readonly Outcome[]): string {
  const count = (fate: Fate): number => outcomes.filter((outcome) => fateOf(outcome) === fate).length;
  const untested = count("untested") === 0 ? "" : `, and ${count("untested")} were not tested by their rules`;
  return `${count("killed")} of ${outcomes.length} faulty servers were detected by the rules that must detect them${untested}`;
}

/** Returns the score of each layer that ran. */
export function scoresOf(outcomes: readonly Outcome[]): readonly Score[] {
  return LAYERS.map((layer) => {
    const isOf = (id: RuleId): boolean => LAYER_OF.get(id) === layer;
    const tried = outcomes.filter((outcome) => outcome.tried.some(isOf));
    return { layer, killed: tried.filter(({ detectedBy }) => detectedBy.some(isOf)).length, of: tried.length };
  }).filter(({ of }) => of > 0);
}

/** `OPEN` of `RBS-OPEN-03`. */
export function familyOf(id: RuleId): string {
  return id.split("-").slice(1, -1).join("-");
}
