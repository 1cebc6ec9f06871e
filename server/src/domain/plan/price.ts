/** The units that each minute costs. */
const PRICES = { headless: 1, graphical: 1 };

/** Returns the units charged for each started minute of a browser. */
export function unitsPerMinute({ isHeadless }: { readonly isHeadless: boolean }): number {
  return isHeadless ? PRICES.headless : PRICES.graphical;
}

/** The units reserved while a browser is being opened: the highest price, because the store only counts openings. */
export const RESERVED_UNITS = Math.max(PRICES.headless, PRICES.graphical);
