import type { Layer, RuleId } from "../../src/contract/vocabulary.ts";
import { MUTANT_LISTS } from "../generated/mutant-lists.ts";
import { type Outcome, type Score, familyOf, fateOf } from "./outcome.ts";

/** Maximum number of additional rules to list by id. If more rules detect a mutant, the table only counts them. */
const MAX_OTHERS = 4;

const LAYER_NAMES: Readonly<Record<Layer, string>> = {
  lifecycle: "lifecycle rules",
  model: "random sequences",
  schemathesis: "Schemathesis",
};

/** Describes a mutant in one line: its fate, the rules that must detect it, and other rules that detected it. */
export function describeOutcome(outcome: Outcome): string {
  const { mutant, detectedBy, missedBy } = outcome;
  const named = mutant.killedBy.map((id) => (missedBy.includes(id) ? `NOT ${shorten(id)}` : shorten(id))).join(" ");
  const others = detectedBy.filter((id) => !mutant.killedBy.includes(id));
  return `${fateOf(outcome).padEnd(8)}  ${mutant.id.padEnd(34)} ${named.padEnd(26)} ${describeOthers(others)}`.trimEnd();
}

/** Describes all mutants, grouped by file. */
export function describeMatrix(outcomes: readonly Outcome[]): string {
  const groups = Object.entries(MUTANT_LISTS).map(([heading, mutants]) => {
    const own = outcomes.filter(({ mutant }) => mutants.includes(mutant));
    if (own.length === 0) return "";
    return `\n${heading}\n${own.map((outcome) => `  ${describeOutcome(outcome)}\n`).join("")}`;
  });
  return groups.join("");
}

export function describeScores(scores: readonly Score[]): string {
  return scores
    .map(({ layer, killed, of }) => {
      const percent = of === 0 ? 0 : Math.floor((100 * killed) / of);
      return `  ${LAYER_NAMES[layer].padEnd(18)} ${String(killed).padStart(4)} of ${of} (${percent} %)\n`;
    })
    .join("");
}

function describeOthers(others: readonly RuleId[]): string {
  if (others.length === 0) return "";
  if (others.length <= MAX_OTHERS) return `also ${others.map(shorten).join(" ")}`;
  const counts = new Map<string, number>();
  for (const id of others) counts.set(familyOf(id), (counts.get(familyOf(id)) ?? 0) + 1);
  return `also ${[...counts].map(([family, count]) => (count === 1 ? family : `${family}×${count}`)).join(" ")}`;
}

/** `OPEN-03` of `RBS-OPEN-03`. */
function shorten(id: RuleId): string {
  return id.slice("RBS-".length);
}
