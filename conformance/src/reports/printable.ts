/**
 * Control characters, bidirectional controls and lone surrogates. Reports can't show these characters, and terminals
 * may interpret them. Line breaks and tabs are allowed.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- matching control characters is the purpose of this pattern
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]|\p{Cs}/gu;

/** Replaces hidden characters with visible escapes, such as `\u{1b}` for ESC. Server responses can't be trusted. */
export function toPrintable(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Like `toPrintable`, but puts the text on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text.replaceAll(/\s+/g, " ").trim());
}
