import { type Bench, ROUNDS } from "../bench.ts";
import { interleave, type Rounds, type Side } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "./figure.ts";
import { times, toText, type Unit } from "./units.ts";

/** A line of the table whose target is a ratio of this service to its baseline. */
export type Comparison = {
  readonly name: string;
  readonly unit: Unit;
  /** What the table calls the baseline: `a bare Hono route`. */
  readonly baseline: string;
  /** Limits of the median ratio. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** What the target calls the baseline. */
  readonly of: string;
  /** Divides the other way round, which compares speeds if both sides are times, and adds this word to the ratio. */
  readonly speed?: "faster" | "as fast" | "";
  /** Follows the baseline's value. */
  readonly note?: string;
};

/** Both sides, measured in the same rounds. */
type Sides<Value> = { readonly ours: Value; readonly base: Value };

/** Measures both sides in turn. */
export async function compare(
  bench: Bench,
  comparison: Comparison,
  sides: Sides<Side>,
  rounds: Partial<Rounds> = {},
): Promise<Figure> {
  return toFigure(comparison, await interleave(sides, { ...ROUNDS, ...rounds }, bench.report));
}

/** @param measured One value per round. */
export function toFigure(
  { name, unit, baseline, atMost = Infinity, atLeast = -Infinity, of, speed, note = "" }: Comparison,
  { ours, base }: Sides<readonly number[]>,
): Figure {
  const ratio = spreadOf(speed === undefined ? ratios(ours, base) : ratios(base, ours));
  return {
    name,
    ours: unit(medianOf(ours)),
    baseline: `${baseline} ${unit(medianOf(base))}${note}`,
    compared: [toText(ratio, times), speed].join(" ").trimEnd(),
    target: `${atMost === Infinity ? `≥ ${atLeast}` : `≤ ${atMost}`} × ${of}`,
    isMet: ratio.median <= atMost && ratio.median >= atLeast,
  };
}
