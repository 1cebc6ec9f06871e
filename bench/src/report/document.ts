import type { Figure } from "./figure.ts";
import { renderMarkdown } from "./table.ts";

const BEGIN = "<!-- Written by `npm run bench -- --write`. -->";
const END = "<!-- End of what is written. -->";

/**
 * Replaces the figures in docs/benchmarks.md. The rest of the page is written by hand.
 * @throws {Error} If the page lacks the markers around the figures.
 */
export function withFigures(page: string, machine: string, figures: readonly Figure[]): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/benchmarks.md must have the lines\n${BEGIN}\n${END}`);
  const measured = `\`npm run bench -- --write\` measured these figures on ${machine}.\n\n${renderMarkdown(figures)}`;
  return `${page.slice(0, begin)}${BEGIN}\n\n${measured}\n${page.slice(end)}`;
}
