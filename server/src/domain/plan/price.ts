/** The units that each minute of a browser costs. */
const PRICES = { headless: 1, graphical: 1 };

/** @returns The units that a browser costs for each minute, or part of a minute, that it is open. */
export function unitsPerMinute({ isHeadless }: { readonly isHeadless: boolean }): number {
  return isHeadless ? PRICES.headless : PRICES.graphical;
}

/** The units that count while a browser is being opened: the highest price, because the store only counts openings. */
export const RESERVED_UNITS = Math.max(PRICES.headless, PRICES.graphical);
