import { setTimeout as wait } from "node:timers/promises";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";

/** An Open request. `atMs` is relative to the start of the load. */
export type Arrival = { readonly atMs: number; readonly options: WireOptions };

/** Returns a generator of reproducible random numbers from 0 to 1 (mulberry32). */
export function newRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a function that picks items by Zipf's law: the n-th item has the weight 1 / n^exponent. */
export function newZipf<Item>(items: readonly Item[], exponent: number, random: () => number): () => Item {
  const weights = items.map((_, index) => 1 / (index + 1) ** exponent);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let left = random() * all;
    const found = items.find((_, index) => (left -= weights[index] ?? 0) < 0) ?? items.at(-1);
    if (found === undefined) throw new RangeError("The list is empty.");
    return found;
  };
}

/** Generates independent arrivals (a Poisson process). */
export function arrive(
  { perS, forMs }: { readonly perS: number; readonly forMs: number },
  pick: () => WireOptions,
  random: () => number,
): Arrival[] {
  const arrivals: Arrival[] = [];
  let atMs = 0;
  for (;;) {
    atMs -= (Math.log(1 - random()) / perS) * 1000;
    if (atMs >= forMs) return arrivals;
    arrivals.push({ atMs, options: pick() });
  }
}

/** Calls `open` at each arrival time, even while earlier calls are still running. @returns The results. */
export async function applyLoad<Result>(
  arrivals: readonly Arrival[],
  open: (options: WireOptions) => Promise<Result>,
): Promise<Result[]> {
  const startedMs = performance.now();
  return await Promise.all(
    arrivals.map(async ({ atMs, options }) => {
      await wait(Math.max(0, startedMs + atMs - performance.now()));
      return await open(options);
    }),
  );
}
