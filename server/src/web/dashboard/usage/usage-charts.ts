import { html, raw } from "hono/html";
import type { UsageReport } from "../../../services/accounts/usage-reports.ts";
import { toCount, toDayName, toMonthName, toNumber } from "../../kit/format.ts";
import { type Plot, renderChart, toShare } from "./chart.ts";
import type { Html } from "../../kit/layout.ts";

/** The gap on either side of a bar, as a share of the day's width. */
const GAP = 0.15;
const HOURS_A_DAY = 24;
/**
 * Drawing a limit above this multiple of the highest peak would flatten the chart, so only the text mentions such a
 * limit.
 */
const FAR = 4;

/** Units by day, as bars. */
export function renderDays({ period, days, units }: UsageReport): Html {
  const most = days.reduce((one, other) => (other.units > one.units ? other : one), days[0] ?? { day: "", units: 0 });
  const chart = {
    id: "days",
    title: `Units by day in ${toMonthName(period)}`,
    description: `${toCount(units, "unit")} in total. The highest value is ${toNumber(most.units)}, on ${toDayName(most.day)}.`,
    days: days.length,
    largest: most.units,
  };
  const width = toShare((1 - 2 * GAP) / days.length);
  const drawBars = ({ y, bottom }: Plot): Html =>
    html`${days.map(({ day, units: own }, index) => {
      if (own === 0) return "";
      // Keeps even a single unit visible next to thousands of units.
      const top = Math.min(y(own), bottom - 1);
      const x = toShare((index + GAP) / days.length);
      return html`<rect class="day" x="${x}" y="${top}" width="${width}" height="${bottom - top}">
        <title>${toDayName(day)}: ${toCount(own, "unit")}</title>
      </rect>`;
    })}`;
  return html`${renderChart(chart, drawBars)}
  ${renderTable(
    "Units",
    days.filter((one) => one.units > 0).map((one) => [one.day, one.units]),
  )}`;
}

/** A chart of concurrently open browsers per hour, with the limit. */
export function renderParallel({ period, days, peaks, dailyPeaks, parallel }: UsageReport): Html {
  const highest = peaks.reduce((one, other) => Math.max(one, other), 0);
  const isLimitNear = parallel <= FAR * Math.max(1, highest);
  const chart = {
    id: "parallel",
    title: `Parallel browsers in ${toMonthName(period)}`,
    description: `The maximum for each hour. The highest value is ${toNumber(highest)}. Today's limit is ${toNumber(parallel)}.`,
    days: days.length,
    largest: isLimitNear ? Math.max(highest, parallel) : highest,
  };
  const hours = days.length * HOURS_A_DAY;
  const drawSteps = ({ top, y, bottom }: Plot): Html =>
    html`<svg
        x="0"
        y="${y(top)}"
        width="100%"
        height="${bottom - y(top)}"
        viewBox="0 0 ${hours} ${top}"
        preserveAspectRatio="none"
      >
        <path class="area" d="${raw(toSteps(peaks, top))}" />
      </svg>
      ${isLimitNear ? renderLimit(parallel, y(parallel)) : ""}`;
  return html`${renderChart(chart, drawSteps)}
    <p class="fine">
      For each hour, the chart shows the highest number of browsers that were open at the same time.
      ${
        isLimitNear
          ? html`The dashed line is today's limit: ${toNumber(parallel)}.`
          : html`Today's limit is ${toNumber(parallel)}, which is too high to show in this chart.`
      }
    </p>
    ${renderTable(
      "Maximum parallel browsers",
      dailyPeaks.filter(({ peak }) => peak > 0).map(({ day, peak }) => [day, peak]),
    )}`;
}

function renderLimit(limit: number, y: number): Html {
  return html`<line class="limit" x1="0" x2="100%" y1="${y}" y2="${y}" stroke-dasharray="6 4" />
    <text class="limit-name" x="100%" y="${y + 14}" text-anchor="end">limit ${toNumber(limit)}</text>`;
}

/** Returns the outline of the steps as an SVG path. It contains only letters and numbers, so it needs no escaping. */
function toSteps(peaks: readonly number[], top: number): string {
  const steps = peaks.map((peak, hour) => (peak === peaks[hour - 1] ? "" : `V${top - peak}`) + `H${hour + 1}`);
  return `M0 ${top}${steps.join("")}V${top}Z`;
}

function renderTable(what: string, rows: readonly (readonly [day: string, value: number])[]): Html {
  return html`<details>
    <summary>Show as a table</summary>
    <div class="table" tabindex="0" role="region" aria-label="${what} by day, as a table">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="number">${what}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ([day, value]) =>
              html`<tr>
                <th scope="row"><time datetime="${day}">${toDayName(day)}</time></th>
                <td class="number">${toNumber(value)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
