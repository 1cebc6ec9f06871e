import { RULES } from "../../src/registry/registry.ts";
import type { RuleId } from "../../src/contract/vocabulary.ts";
import { escapeMarkup } from "../../src/reports/html/markup.ts";
import { MUTANT_LISTS } from "../generated/mutant-lists.ts";
import { type Outcome, type Score, describeFates, familyOf, fateOf } from "./outcome.ts";

const CELL = 6;
const ROW = 9;
const GAP = 12;
const LEFT = 330;
const TOP = 130;
const RIGHT = 30;
const BOTTOM = 20;

const STYLE = `
  text { font: 7px ui-sans-serif, system-ui, sans-serif; fill: #334155; }
  .title { font-size: 15px; font-weight: 600; fill: #0f172a; }
  .note { font-size: 9px; }
  .area { font-size: 8px; font-weight: 600; fill: #0f172a; }
  .family { font-size: 8px; font-weight: 600; }
  .stripe { fill: #f1f5f9; } .line { stroke: #cbd5e1; stroke-width: 0.5; }
  .named { fill: #047857; } .other { fill: #86c5ac; } .missed { fill: #dc2626; } .alive { fill: #dc2626; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0f172a; } text { fill: #cbd5e1; } .title, .area { fill: #f8fafc; } .stripe { fill: #1e293b; } .line { stroke: #334155; }
    .named { fill: #34d399; } .other { fill: #2b6b57; } .missed, .alive { fill: #f87171; }
  }`;

type Column = { readonly id: RuleId; readonly x: number };

/**
 * Draws the matrix as a self-contained SVG: a row per mutant and a column per rule that detected one or should have.
 */
export function drawMatrix(outcomes: readonly Outcome[], scores: readonly Score[]): string {
  const columns = placeColumns(outcomes);
  const width = LEFT + RIGHT + (columns.at(-1)?.x ?? 0) + CELL;
  const rows: string[] = [];
  let y = TOP;
  for (const [heading, mutants] of Object.entries(MUTANT_LISTS)) {
    const own = outcomes.filter(({ mutant }) => mutants.includes(mutant));
    if (own.length === 0) continue;
    y += GAP;
    rows.push(text(8, y, heading, "area"));
    y += 4;
    for (const [index, outcome] of own.entries()) {
      rows.push(drawRow(outcome, columns, y, index % 2 === 0 ? width : undefined));
      y += ROW;
    }
  }
  const height = y + BOTTOM;
  const summary = scores.map(({ layer, killed: count, of }) => `${layer} ${count} of ${of}`).join(" · ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>Rules that detect each fault: ${describeFates(outcomes)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="page" width="${width}" height="${height}" fill="#ffffff"/>`,
    text(8, 24, describeFates(outcomes), "title"),
    text(8, 42, "Each row is a server with one fault. Each column is a rule.", "note"),
    `<rect class="named" x="8" y="51" width="7" height="7"/>${text(19, 58, "must detect the fault, and detects it", "note")}`,
    `<rect class="other" x="8" y="64" width="7" height="7"/>${text(19, 71, "also detects it", "note")}`,
    `<rect class="missed" x="8" y="77" width="7" height="7"/>${text(19, 84, "must detect the fault, but doesn't", "note")}`,
    ...(scores.length === 0 ? [] : [text(8, 101, `Faults detected by each layer on its own: ${summary}`, "note")]),
    ...rows,
    drawHead(columns, y),
    "</svg>\n",
  ].join("\n");
}

function placeColumns(outcomes: readonly Outcome[]): readonly Column[] {
  const wanted = new Set(outcomes.flatMap(({ missedBy, detectedBy }) => [...missedBy, ...detectedBy]));
  const columns: Column[] = [];
  let x = 0;
  for (const { id } of RULES.filter((rule) => wanted.has(rule.id))) {
    const last = columns.at(-1);
    if (last !== undefined) x += familyOf(last.id) === familyOf(id) ? CELL : CELL + 4;
    columns.push({ id, x });
  }
  return columns;
}

function drawHead(columns: readonly Column[], bottom: number): string {
  return columns
    .filter(({ id }, at) => at === 0 || familyOf(columns[at - 1]?.id ?? id) !== familyOf(id))
    .map(({ id, x }) => {
      const at = LEFT + x;
      const line = `<path class="line" d="M${at - 2.5} ${TOP + 4}V${bottom}"/>`;
      return `${line}<text class="family" transform="translate(${at + CELL} ${TOP}) rotate(-60)">${familyOf(id)}</text>`;
    })
    .join("\n");
}

function drawRow(outcome: Outcome, columns: readonly Column[], y: number, stripe: number | undefined): string {
  const { mutant, detectedBy, missedBy } = outcome;
  const cells = columns.flatMap(({ id, x }) => {
    const kind = missedBy.includes(id) ? "missed" : mutant.killedBy.includes(id) ? "named" : "other";
    if (!detectedBy.includes(id) && kind !== "missed") return [];
    const words = `${mutant.title}: ${id}`;
    return `<rect class="${kind}" x="${LEFT + x}" y="${y + 1}" width="${CELL - 1}" height="${ROW - 2}"><title>${escapeMarkup(words)}</title></rect>`;
  });
  const background =
    stripe === undefined ? "" : `<rect class="stripe" x="0" y="${y}" width="${stripe}" height="${ROW}"/>`;
  // A nested SVG clips long titles.
  const label = text(16, 7, mutant.title, fateOf(outcome) === "SURVIVED" ? "alive" : "");
  const frame = `<svg x="0" y="${y}" width="${LEFT - 6}" height="${ROW}" overflow="hidden">${label}</svg>`;
  return `<g>${background}${frame}${cells.join("")}</g>`;
}

function text(x: number, y: number, words: string, kind: string): string {
  return `<text x="${x}" y="${y}"${kind === "" ? "" : ` class="${kind}"`}>${escapeMarkup(words)}</text>`;
}
