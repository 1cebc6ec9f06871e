import { html } from "hono/html";
import type { Allowance } from "../../../domain/account/allowance.ts";
import { laterPeriod } from "../../../domain/plan/period.ts";
import { unitsPerMinute } from "../../../domain/plan/price.ts";
import type { UsageReport } from "../../../services/accounts/usage-reports.ts";
import { toCount, toDayName, toMonthName, toNumber } from "../../kit/format.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { renderDays, renderParallel } from "./usage-charts.ts";

/** The used share of the plan's units at which the meter starts to show a warning. */
const NEARLY = 0.8;

export function renderUsage(frame: Frame, report: UsageReport, firstPeriod: string): Html {
  const hasAny = report.units > 0 || report.peaks.some((peak) => peak > 0);
  return html`<div class="row spread">
      <h1>Usage</h1>
      ${renderMonths(frame, report, firstPeriod)}
    </div>
    ${renderSum(frame, report)} ${hasAny ? renderMonth(frame, report) : renderEmpty(frame, report)}`;
}

function renderMonths(frame: Frame, { period, isCurrent }: UsageReport, firstPeriod: string): Html {
  const toLink = (other: string, arrow: readonly [before: string, after: string]): Html =>
    html`<a class="button small" href="${frame.to(`/dashboard/usage?month=${other}`)}">
      ${arrow[0]}${toMonthName(other)}${arrow[1]}
    </a>`;
  return html`<nav class="row" aria-label="Month">
    ${period > firstPeriod ? toLink(laterPeriod(period, -1), ["← ", ""]) : ""}
    <strong aria-current="page">${toMonthName(period)}</strong>
    ${isCurrent ? "" : toLink(laterPeriod(period, 1), ["", " →"])}
  </nav>`;
}

/** Renders the units used. Only the current month has a limit, because earlier months may have had another plan. */
function renderSum(frame: Frame, report: UsageReport): Html {
  const { isCurrent, units, openBrowsers, period, allowance } = report;
  const limit = isCurrent ? allowance.plan?.unitsPerMonth : undefined;
  return html`<section class="card" aria-labelledby="sum">
    <h2 id="sum">${isCurrent ? "This month" : toMonthName(period)}</h2>
    <p class="sum">
      <strong>${toNumber(units)}</strong> ${limit === undefined ? "" : `of ${toNumber(limit)} `}${
        (limit ?? units) === 1 ? "unit" : "units"
      }
    </p>
    ${limit === undefined || limit === 0 ? "" : renderMeter(units, limit)}
    ${
      isCurrent
        ? html`${renderAllowance(frame, allowance)}
            <p class="fine">
              The count resets on ${renderStart(laterPeriod(period, 1))}. Each minute, or part of a minute, that a
              browser is open costs ${describePrice()}.
              ${openBrowsers === 0 ? "" : html`You have ${toCount(openBrowsers, "open browser")}.`}
            </p>`
        : ""
    }
  </section>`;
}

function describePrice(): string {
  const [headless, graphical] = [true, false].map((isHeadless) => toCount(unitsPerMinute({ isHeadless }), "unit"));
  return headless === graphical ? `${headless}` : `${headless}, or ${graphical} for a graphical browser`;
}

function renderStart(period: string): Html {
  const day = `${period}-01`;
  return html`<time datetime="${day}T00:00:00.000Z">${toDayName(day)}, 00:00 UTC</time>`;
}

function renderMeter(units: number, limit: number): Html {
  return html`<meter
    aria-label="Units used this month"
    min="0"
    max="${limit}"
    low="${limit * NEARLY}"
    high="${limit * NEARLY}"
    optimum="0"
    value="${Math.min(units, limit)}"
  >
    ${toNumber(units)} of ${toNumber(limit)}
  </meter>`;
}

/** Explains whether the user can still open browsers, and how to change that. */
function renderAllowance(frame: Frame, allowance: Allowance): Html {
  const { plan, unitsLeft, additionalUnits, hasAdditionalUnits } = allowance;
  const settings = frame.to("/dashboard/settings");
  if (plan === undefined) {
    return html`<p class="notice busy">
      Your account has no plan, so you can't open browsers. <a href="${settings}">See the plans in the settings</a>.
    </p>`;
  }
  if (plan.unitsPerMonth === undefined || unitsLeft === undefined)
    return html`<p>Your plan, ${plan.name}, has unlimited units.</p>`;
  if (hasAdditionalUnits && additionalUnits > 0) {
    return html`<p class="notice busy">
      You have used ${toCount(additionalUnits, "additional unit")} beyond the ${toCount(plan.unitsPerMonth, "unit")} of
      your plan. You can still open browsers because
      <a href="${settings}">additional units are on</a>.
    </p>`;
  }
  if (hasAdditionalUnits) {
    return html`<p>
      ${toLeft(unitsLeft)} in your plan. Because <a href="${settings}">additional units are on</a>, you can still open
      browsers when your plan's units are used up.
    </p>`;
  }
  if (unitsLeft === 0) {
    return html`<p class="notice bad">
      You have used all of your plan's
      units${additionalUnits > 0 ? `, and open browsers have used ${toNumber(additionalUnits)} more` : ""}. You can't
      open browsers until next month, unless you <a href="${settings}">turn on additional units</a>.
    </p>`;
  }
  return html`<p>${toLeft(unitsLeft)}.</p>`;
}

function toLeft(units: number): string {
  return `${toCount(units, "unit")} ${units === 1 ? "is" : "are"} left`;
}

function renderMonth(frame: Frame, report: UsageReport): Html {
  const { period } = report;
  return html`<section class="card" aria-labelledby="by-day">
      <h2 id="by-day">Units by day</h2>
      ${renderDays(report)}
    </section>
    <section class="card" aria-labelledby="at-once">
      <h2 id="at-once">Parallel browsers</h2>
      ${renderParallel(report)}
    </section>
    <section class="card" aria-labelledby="files">
      <h2 id="files">Export</h2>
      <p class="fine">
        CSV files, with times in UTC. A browser is listed in the month in which it closed, with all units it used.
      </p>
      <p class="row">
        <a class="button" href="${frame.to(`/dashboard/usage.csv?month=${period}`)}">Units by day</a>
        <a class="button" href="${frame.to(`/dashboard/browsers.csv?month=${period}`)}">Browsers</a>
      </p>
    </section>`;
}

function renderEmpty(frame: Frame, { isCurrent, period }: UsageReport): Html {
  return html`<section class="card empty">
    <h2>No browsers in ${toMonthName(period)}</h2>
    ${
      isCurrent
        ? html`<p>When you open a browser, this page shows the units it uses each day.</p>
            <p><a class="button primary" href="${frame.to("/dashboard/quick-start")}">Open your first browser</a></p>`
        : ""
    }
  </section>`;
}
