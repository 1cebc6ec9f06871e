import type { RunOptions } from "./run-options.ts";

const MOST = 24;

/**
 * Stories that are under way at once; how many browsers they have open is another matter. At a limited rate more of them
 * would only wait for each other, and their browsers would close meanwhile.
 */
export function storiesAtOnce({ rate, parallel }: Pick<RunOptions, "rate" | "parallel">): number {
  return rate === undefined ? MOST : Math.min(MOST, 3 * parallel);
}
