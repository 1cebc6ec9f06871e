/** PostgreSQL stores every character except NUL, which is replaced. */
export function toStorable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
