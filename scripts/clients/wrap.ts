/**
 * Wraps a line between words.
 * @param width Maximum columns of a line. A longer word gets its own line.
 * @param firstWidth Maximum columns of the first line.
 * @returns At least one line.
 */
export function wrap(text: string, width: number, firstWidth = width): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const room = lines.length === 0 ? firstWidth : width;
    if (line === "") {
      line = word;
    } else if (line.length + 1 + word.length <= room) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
