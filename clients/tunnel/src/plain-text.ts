/**
 * A text of a server's, fit for a terminal and for one line of it: control characters could colour, move or rewrite what
 * the terminal shows, and those that turn the direction of writing could pass for something else.
 */
export function toPlainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}
