import type { Figure } from "./figure.ts";

const TITLES = ["Figure", "Here", "Baseline", "Compared", "Target", ""] as const;
const WIDTHS = [62, 14, 54, 26, 34, 6];

/** The header of the table, for a terminal. */
export function renderHead(): string {
  const rule = WIDTHS.map((width) => "─".repeat(width)).join("─");
  return `${toLine(TITLES)}\n${rule}\n`;
}

/** Renders a figure for a terminal. Columns have fixed widths, because figures are printed one by one. */
export function renderLine(figure: Figure): string {
  return `${toLine(toCells(figure))}\n`;
}

export function renderMarkdown(figures: readonly Figure[]): string {
  const rows = [TITLES, TITLES.map(() => "---"), ...figures.map(toCells)];
  return rows.map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

function toCells({ name, ours, baseline, compared, target, isMet }: Figure): string[] {
  return [name, ours, baseline, compared, target, isMet ? "met" : "missed"];
}

function toLine(cells: readonly string[]): string {
  return cells
    .map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0))
    .join(" ")
    .trimEnd();
}
