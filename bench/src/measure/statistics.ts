/** The median and the two quartiles. */
export type Spread = { readonly median: number; readonly low: number; readonly high: number };

/** @throws {RangeError} If there are no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** @param share From 0 to 1. @throws {RangeError} If there are no values. */
export function quantileOf(values: readonly number[], share: number): number {
  return quantile(
    values.toSorted((left, right) => left - right),
    share,
  );
}

export function medianOf(values: readonly number[]): number {
  return spreadOf(values).median;
}

/** Returns the difference in each round, because any slowdown in a round affects both sides. */
export function differences(ours: readonly number[], baseline: readonly number[]): number[] {
  return pairs(ours, baseline).map(([one, other]) => one - other);
}

/** Returns the ratio in each round. */
export function ratios(ours: readonly number[], baseline: readonly number[]): number[] {
  return pairs(ours, baseline).map(([one, other]) => one / other);
}

function pairs(ours: readonly number[], baseline: readonly number[]): [number, number][] {
  if (ours.length !== baseline.length) throw new RangeError("Both sides need a value for every round.");
  return ours.map((value, round) => [value, baseline[round] ?? Number.NaN]);
}

/** Interpolates between the two nearest values. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [lower, upper] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  if (lower === undefined || upper === undefined) throw new RangeError("A quantile needs at least one value.");
  return lower + (upper - lower) * (place - Math.floor(place));
}
