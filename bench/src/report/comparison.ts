import { ROUNDS, type Rounds, type Side, interleave } from "../measure/interleave.ts";
import { differences, medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "./figure.ts";
import { signed, times, toText, type Unit } from "./units.ts";

/** A table row whose target is the ratio between this service and its baseline. */
export type Comparison = {
  readonly name: string;
  readonly unit: Unit;
  /** The baseline's name in its column, such as `a bare Hono route`. */
  readonly baseline: string;
  /** Limits for the median ratio. */
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The baseline's name as it appears in the target. */
  readonly of: string;
  /** If set, the ratio of times is inverted to a ratio of speeds, followed by this word. */
  readonly speed?: "faster" | "as fast" | "";
  /** A note appended to the baseline's value. */
  readonly note?: string;
};

/** The service and its baseline, measured in the same rounds. */
type Sides<Value> = { readonly ours: Value; readonly base: Value };

/** Measures both sides alternately. */
export async function compare(
  bench: { readonly report: (done: number, all: number) => void },
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

/** A row of the table whose target limits the value itself (`max`) or its difference from the baseline (`maxAdded`). */
type Difference = Pick<Comparison, "name" | "unit" | "baseline" | "note"> & {
  readonly max?: number;
  readonly maxAdded?: number;
  /** Text appended to the target, such as `of a core`. */
  readonly of?: string;
};

/** @param measured One value per round. A single value has no quartiles. */
export function toDifference(
  { name, unit, baseline, note = "", max = Infinity, maxAdded = Infinity, of = "" }: Difference,
  { ours, base }: Sides<readonly number[]>,
): Figure {
  const added = spreadOf(differences(ours, base));
  const limit = max === Infinity ? `+ ${unit(maxAdded)}` : unit(max);
  return {
    name,
    ours: unit(medianOf(ours)),
    baseline: `${baseline} ${unit(medianOf(base))}${note}`,
    compared: ours.length === 1 ? signed(unit)(added.median) : toText(added, signed(unit)),
    target: `≤ ${limit} ${of}`.trimEnd(),
    isMet: medianOf(ours) <= max && added.median <= maxAdded,
  };
}
