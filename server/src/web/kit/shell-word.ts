/** Text as one word of a POSIX shell, whatever is in it. */
export function toShellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
