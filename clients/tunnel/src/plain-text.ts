/**
 * Makes text from a server safe for one line of a terminal: control characters could change the terminal, and
 * bidirectional controls could disguise text.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
