import { count, toTitle, unknownFailures } from "./conclusion.ts";
import type { Conclusion, RunReport } from "./report.ts";

const SUBJECT = "conformance";
const PADDING = 6;
/** Characters by approximate width in Verdana at 11 px. Text in other fonts is stretched or squeezed to this width. */
const NARROW = /[ ijlft:.,']/;
const WIDE = /[mw%@]/;

const COLOURS: Readonly<Record<Conclusion, string>> = {
  conformant: "#2b7d3c",
  passed: "#2b7d3c",
  incomplete: "#7a6a00",
  "known failures": "#a85a00",
  "not conformant": "#c0303c",
  inconclusive: "#5f6670",
};

/** Renders an SVG badge for a README: `conformance | 3 failures`. */
export function renderBadge(report: Pick<RunReport, "verdict" | "counts" | "profile" | "capabilities">): string {
  const message = toMessage(report);
  const left = widthOf(SUBJECT) + 2 * PADDING;
  const right = widthOf(message) + 2 * PADDING;
  const text = (words: string, x: number, width: number): string =>
    `<text x="${x}" y="15" fill="#010101" fill-opacity=".3" textLength="${width}" aria-hidden="true">${words}</text>` +
    `<text x="${x}" y="14" textLength="${width}">${words}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${SUBJECT}: ${message}">
<title>${SUBJECT}: ${message}</title>
<linearGradient id="s" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3" fill="#fff"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444b53"/><rect x="${left}" width="${right}" height="20" fill="${COLOURS[report.verdict]}"/><rect width="${left + right}" height="20" fill="url(#s)"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(SUBJECT, left / 2, widthOf(SUBJECT))}${text(message, left + right / 2, widthOf(message))}</g>
</svg>
`;
}

function toMessage(report: Parameters<typeof renderBadge>[0]): string {
  const { verdict, counts } = report;
  if (verdict === "not conformant") return count(unknownFailures(counts), "failure");
  if (verdict === "known failures") return count(counts.knownFailures, "known failure");
  return toTitle(report);
}

function widthOf(text: string): number {
  const widths = Array.from(text, (character) => (NARROW.test(character) ? 4 : WIDE.test(character) ? 10 : 7));
  return widths.reduce((sum, width) => sum + width, 0);
}
