import { isVisible } from "./visible-text.ts";

/** RFC 5321: a path has up to 256 characters, two of which are the angle brackets. */
const MAX_LENGTH = 254;

/**
 * Checks that the text can be stored and shown as an email address. Only sending an email shows whether the address
 * exists.
 * @returns The trimmed address, with ordinary letters instead of their variants (NFKC), such as b instead of ⓑ. It is
 * in lower case, because more letters look alike in upper case: Greek Β looks like Latin B. Undefined if invalid.
 */
export function readEmail(text: string): string | undefined {
  const typed = text.trim();
  if (typed.length > MAX_LENGTH) return undefined;
  const email = typed.normalize("NFKC").toLowerCase();
  if (email.length > MAX_LENGTH) return undefined;
  // Control characters, and characters that reorder or hide text, would make an address look like a different address.
  const isWritten = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  return isWritten && email.split("@").every(isVisible) ? email : undefined;
}

/** Lower-case letters, grouped by the letter they resemble (listed first): Latin, Greek, Cyrillic and Armenian. */
const LOOKALIKES = toLookalikes(
  "aɑαа cсᴄ dԁ eе gɡց hһհ iıιі jϳјյ lӏ nոռ oοσоօᴏ pρр qԛզ rг sѕꜱ uυսᴜ vνѵʋᴠ wԝᴡ xх yγуүʏ zᴢ",
);

/**
 * Returns an address's identity: addresses with the same key are the same address. The key ignores case, letter
 * variants (NFKC) and similar letters from other alphabets.
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
