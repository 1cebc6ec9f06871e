/** Crockford's base 32, in lower case: digits and letters without i, l, o and u, in the order of their bytes. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;

/**
 * An id of 26 letters and digits: the time in ms, and 80 random bits. Ids of the same server sort by their time, so the
 * indexes of a database stay dense. It is a ULID (https://github.com/ulid/spec) in lower case.
 * @param random 16 random bytes.
 */
export function toTimeOrderedId(now: Date, random: Uint8Array): string {
  let id = "";
  for (let rest = now.getTime(), digit = 0; digit < TIME_DIGITS; digit += 1) {
    id = `${DIGITS[rest % DIGITS.length]}${id}`;
    rest = Math.floor(rest / DIGITS.length);
  }
  for (const byte of random) id += DIGITS[byte % DIGITS.length];
  return id;
}
