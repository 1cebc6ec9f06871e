import { html } from "hono/html";
import { toNumber } from "../../kit/format.ts";
import type { Html } from "../../kit/layout.ts";

// Heights are pixels and widths are shares of what there is, so that a chart fits every screen and its words stay as large
// as they are. The style sheet gives the scale beside it the same height.
const TOP = 8;
const BOTTOM = 172;
const HEIGHT = 200;

/** A picture of numbers over the days of a month. */
export type Chart = {
  /** Unique on its page. */
  readonly id: string;
  readonly title: string;
  /** What it shows, for who does not see it. */
  readonly description: string;
  readonly days: number;
  /** The largest value that has to find room. */
  readonly largest: number;
};

/** Where things stand in a chart. */
export type Plot = {
  /** The value at its upper edge. */
  readonly top: number;
  /** The pixels from above at which a value stands. */
  readonly y: (value: number) => number;
  readonly bottom: number;
};

/** @param draw What stands between the lines and the days' numbers. */
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

/** As SVG writes a share of the width. */
export function toShare(share: number): string {
  return `${round(share * 100)}%`;
}

/** The next larger number that can be read off a scale at a glance, and halved. */
function roundUp(value: number): number {
  if (value <= 2) return Math.max(1, value);
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
