import { isVisible } from "./visible-text.ts";

/** RFC 5321: a path has up to 256 characters, two of which are the angle brackets. */
const MAX_LENGTH = 254;

/**
 * Checks that the text can be stored and shown as an email address. Only sending a mail shows whether it exists.
 * @returns The address, trimmed, with ordinary letters instead of their variants (NFKC), such as b instead of ⓑ, and in
 *   lower case, because more letters look alike in upper case: Β is the Greek β; undefined if it is invalid.
 */
export function readEmail(text: string): string | undefined {
  const typed = text.trim();
  if (typed.length > MAX_LENGTH) return undefined;
  const email = typed.normalize("NFKC").toLowerCase();
  if (email.length > MAX_LENGTH) return undefined;
  // Control characters, and characters that reorder or hide text, would make the address look like another one.
  const isWritten = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  return isWritten && email.split("@").every(isVisible) ? email : undefined;
}

/** Letters that look like the first one of their group, in lower case: Latin, Greek, Cyrillic and Armenian ones. */
const LOOKALIKES = toLookalikes(
  "aɑαа cсᴄ dԁ eе gɡց hһհ iıιі jϳјյ lӏ nոռ oοσоօᴏ pρр qԛզ rг sѕꜱ uυսᴜ vνѵʋᴠ wԝᴡ xх yγуүʏ zᴢ",
);

/**
 * What identifies an address: two addresses with one key are one address. Case doesn't matter, nor do variants of
 * letters (NFKC) and letters of other alphabets that look the same.
 */
export function toEmailKey(email: string): string {
  const letters = Array.from(email.normalize("NFKC").toLowerCase().normalize("NFD"));
  return letters
    .map((letter) => LOOKALIKES.get(letter) ?? letter)
    .join("")
    .normalize("NFC");
}

function toLookalikes(groups: string): ReadonlyMap<string, string> {
  return new Map(
    groups.split(" ").flatMap(([first = "", ...others]) => others.map((other): [string, string] => [other, first])),
  );
}
