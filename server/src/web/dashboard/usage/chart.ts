import { html } from "hono/html";
import { toNumber } from "../../kit/format.ts";
import type { Html } from "../../kit/layout.ts";

// Heights are in pixels and widths in percent, so that the chart fits any screen without scaling its text. The style
// sheet gives the scale the same height.
const TOP = 8;
const BOTTOM = 172;
const HEIGHT = 200;

/** A chart with the days of a month as its x-axis. */
type Chart = {
  /** Unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Alternative text. */
  readonly description: string;
  readonly days: number;
  /** The largest value to show. */
  readonly largest: number;
};

/** Positions in a chart, in pixels from the top. */
export type Plot = {
  /** The value at the chart's upper edge. */
  readonly top: number;
  readonly y: (value: number) => number;
  readonly bottom: number;
};

/** @param draw Draws the values on top of the grid lines. */
export function renderChart({ id, title, description, days, largest }: Chart, draw: (plot: Plot) => Html): Html {
  const top = roundUp(largest);
  const y = (value: number): number => round(BOTTOM - (value / top) * (BOTTOM - TOP));
  const marks = top % 2 === 0 ? [top, top / 2, 0] : [top, 0];
  const weeks = Array.from({ length: days }, (_, day) => day).filter((day) => day % 7 === 0);
  return html`<div class="chart">
    <div class="scale" aria-hidden="true">${marks.map((mark) => html`<span>${toNumber(mark)}</span>`)}</div>
    <svg class="plot" width="100%" height="${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-description">
      <title id="${id}-title">${title}</title>
      <desc id="${id}-description">${description}</desc>
      ${marks.map((mark) => html`<line class="rule" x1="0" x2="100%" y1="${y(mark)}" y2="${y(mark)}" />`)}
      ${draw({ top, y, bottom: BOTTOM })}
      ${weeks.map(
        (day) =>
          html`<text class="tick" x="${toShare((day + 0.5) / days)}" y="${HEIGHT - 6}" text-anchor="middle">
            ${day + 1}
          </text>`,
      )}
    </svg>
  </div>`;
}

/** Formats a share of the width as a percentage, for SVG. */
export function toShare(share: number): string {
  return `${round(share * 100)}%`;
}

/** Rounds up to a number that is easy to read and to halve. */
function roundUp(value: number): number {
  if (value <= 2) return Math.max(1, value);
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
