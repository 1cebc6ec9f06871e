const END = "<!-- End of what is generated. -->";

/** Renders a table. Cells are Markdown, in which `|` is escaped. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`)
    .join("");
}

/**
 * Replaces the generated part of a page and keeps the handwritten rest.
 * @param begin The marker before the generated part.
 * @throws {Error} When the page lacks a marker.
 */
export function replaceGenerated(path: string, page: string, begin: string, generated: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`${path} must have the lines\n${begin}\n${END}`);
  return `${page.slice(0, from)}${begin}\n\n${generated}\n${page.slice(to)}`;
}
