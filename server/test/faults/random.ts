/** Random choices that depend only on a seed; their timing varies between runs. */
export type Random = {
  /** Returns a number of at least `low` and less than `high`. */
  between(low: number, high: number): number;
  /** Returns a random element; undefined if there are none. */
  oneOf<T>(all: readonly T[]): T | undefined;
};

/** Mulberry32. */
export function newRandom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    oneOf: (all) => all[Math.floor(next() * all.length)],
  };
}
