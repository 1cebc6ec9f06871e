/**
 * Control characters, bidirectional controls and lone surrogates. Reports can't show them, and terminals may execute
 * them. Line breaks and tabs are allowed.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose of this pattern
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]|\p{Cs}/gu;

/** Makes hidden characters visible: ESC becomes `\u{1b}`. Responses from servers can't be trusted. */
export function toPrintable(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same, on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, " ").trim());
}
