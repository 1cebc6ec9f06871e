/** Letters and digits that no font makes look alike: 32 of them, so that each byte gives one without a bias. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LENGTH = 20;
const GROUP = 5;

/** A random password of 100 bits, to be read and typed: `x7k2m-p9rtw-…`. */
export function toPassword(randomBytes: (length: number) => Buffer): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length] ?? "").join("");
  return letters.match(new RegExp(`.{${GROUP}}`, "g"))?.join("-") ?? letters;
}
