import { RULES } from "../src/registry/registry.ts";
import { layerOf } from "../src/registry/rule.ts";
import { LAYERS, type Layer, type RuleId } from "../src/registry/vocabulary.ts";
import type { Mutant } from "./mutant.ts";
import type { Trial } from "./try-mutant.ts";

/** A mutant, and the results of the rules that ran against it. */
export type Outcome = {
  readonly mutant: Mutant;
  readonly noticedBy: readonly RuleId[];
  readonly tried: readonly RuleId[];
  /** Rules that had to detect it and ran, but didn't detect it. */
  readonly missedBy: readonly RuleId[];
};

/** How many of its mutants a layer detects alone. */
export type Score = { readonly layer: Layer; readonly killed: number; readonly of: number };

const LAYER_OF: ReadonlyMap<RuleId, Layer> = new Map(RULES.map((rule) => [rule.id, layerOf(rule)]));
const PLACE_OF: ReadonlyMap<RuleId, number> = new Map(RULES.map(({ id }, place) => [id, place]));

export function toOutcome(mutant: Mutant, { noticedBy, tried }: Pick<Trial, "noticedBy" | "tried">): Outcome {
  const missedBy = mutant.killedBy.filter((id) => tried.includes(id) && !noticedBy.includes(id));
  const inOrder = noticedBy.toSorted((one, other) => (PLACE_OF.get(one) ?? 0) - (PLACE_OF.get(other) ?? 0));
  return { mutant, noticedBy: inOrder, tried, missedBy };
}

/** `unseen`: no rule detected it, and no rule that has to detect it ran. */
export type Fate = "killed" | "unseen" | "ALIVE";

export function fateOf({ noticedBy, missedBy }: Outcome): Fate {
  if (missedBy.length > 0) return "ALIVE";
  return noticedBy.length > 0 ? "killed" : "unseen";
}

/** The number of each fate, as a sentence. */
export function describeFates(outcomes: readonly Outcome[]): string {
  const count = (fate: Fate): number => outcomes.filter((outcome) => fateOf(outcome) === fate).length;
  const unseen = count("unseen") === 0 ? "" : `, ${count("unseen")} were not seen by the rules that ran`;
  return `${count("killed")} of ${outcomes.length} faulty servers were detected by the rules that have to detect them${unseen}`;
}

/** Without layers that didn't run. */
export function scoresOf(outcomes: readonly Outcome[]): readonly Score[] {
  return LAYERS.map((layer) => {
    const isOf = (id: RuleId): boolean => LAYER_OF.get(id) === layer;
    const tried = outcomes.filter((outcome) => outcome.tried.some(isOf));
    return { layer, killed: tried.filter(({ noticedBy }) => noticedBy.some(isOf)).length, of: tried.length };
  }).filter(({ of }) => of > 0);
}

/** `OPEN` of `RBS-OPEN-03`. */
export function familyOf(id: RuleId): string {
  return id.split("-").slice(1, -1).join("-");
}
