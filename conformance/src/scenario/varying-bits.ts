/** Possible alphabets of an id, smallest first. */
const ALPHABETS: readonly (readonly [RegExp, size: number])[] = [
  [/^[0-9]*$/, 10],
  [/^[0-9a-f]*$/, 16],
  [/^[0-9A-F]*$/, 16],
  [/^[0-9a-z]*$/, 36],
  [/^[0-9A-Z]*$/, 36],
  [/^[0-9A-Za-z]*$/, 62],
];
const WIDEST = 64;

/** UUID version 4, as defined in RFC 9562. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
/** The number of random bits in a UUID. The other six bits are fixed. */
export const UUID_BITS = 122;

/**
 * Estimates how many bits distinguish a few ids. The estimate is an upper bound. Ignores positions with the same
 * character in all ids, such as a prefix or a timestamp, and positions that duplicate another position.
 */
export function varyingBits(ids: readonly string[]): number {
  if (ids.every((id) => UUID.test(id))) return UUID_BITS;
  const length = Math.min(...ids.map((id) => id.length));
  const places = Array.from({ length }, (_, place) => ids.map((id) => id.charAt(place)).join(""));
  const varying = [...new Set(places)].filter((characters) => new Set(characters).size > 1);
  const seen = varying.join("");
  const [, size = WIDEST] = ALPHABETS.find(([pattern]) => pattern.test(seen)) ?? [];
  return varying.length * Math.log2(size);
}
