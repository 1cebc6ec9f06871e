/** Crockford's base 32 in lower case: digits and letters except i, l, o and u, in byte order. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;

/**
 * Returns a ULID (https://github.com/ulid/spec) in lower case: 26 letters and digits that encode the time in ms and 80
 * random bits. A server's ids sort by time, which keeps database indexes dense.
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
