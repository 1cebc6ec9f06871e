/** The middle of what was measured, and the quarter on either side of it. */
export type Spread = { readonly median: number; readonly low: number; readonly high: number };

/** @throws {RangeError} Without values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** Differences round by round: what slows one round down slows both of its sides. */
export function differences(ours: readonly number[], baseline: readonly number[]): number[] {
  return pairs(ours, baseline).map(([one, other]) => one - other);
}

/** Ratios round by round. */
export function ratios(ours: readonly number[], baseline: readonly number[]): number[] {
  return pairs(ours, baseline).map(([one, other]) => one / other);
}

function pairs(ours: readonly number[], baseline: readonly number[]): [number, number][] {
  if (ours.length !== baseline.length) throw new RangeError("Both sides are measured in every round.");
  return ours.map((value, round) => [value, baseline[round] ?? Number.NaN]);
}

/** Between the two nearest values, where the place falls between them. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [lower, upper] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (lower === undefined || upper === undefined) throw new RangeError("Nothing was measured.");
  return lower + (upper - lower) * (place - Math.floor(place));
}
