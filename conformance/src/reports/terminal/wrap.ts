/**
 * Wraps text between words.
 * @param width Characters per line. Longer words are not broken, so that users can copy them.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const word of paragraph.split(/\s+/).filter((each) => each !== "")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === "" ? word : `${line} ${word}`;
      }
    }
    if (line !== "") lines.push(line);
  }
  return lines;
}

/** Puts `head` before the first line and indents the remaining lines by the width of `head`. */
export function hang(head: string, text: string, width: number): readonly string[] {
  const margin = " ".repeat(head.length);
  return wrap(text, Math.max(width - head.length, 30)).map((line, index) => `${index === 0 ? head : margin}${line}`);
}
