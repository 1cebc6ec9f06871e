/** Units charged per started minute. */
const PRICES = { headless: 1, graphical: 1 };

/** Returns the units charged per started minute of a browser. */
export function unitsPerMinute({ isHeadless }: { readonly isHeadless: boolean }): number {
  return isHeadless ? PRICES.headless : PRICES.graphical;
}

/**
 * Units reserved while a browser is opening: the highest price, because the store counts all opening browsers alike.
 */
export const RESERVED_UNITS = Math.max(PRICES.headless, PRICES.graphical);
