/**
 * Control characters, those that turn the direction of text around, and halves of characters: no report can show them,
 * and a terminal would obey them. Line breaks and tabs are fine.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- it is what this is about
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]|\p{Cs}/gu;

/** The text with everything visible in it that is not: ESC becomes `\u{1b}`. What servers answer is a stranger's. */
export function toPrintable(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, " ").trim());
}
