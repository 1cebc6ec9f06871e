import { html } from "hono/html";
import type { Allowance } from "../../../domain/account/allowance.ts";
import { laterPeriod } from "../../../domain/account/period.ts";
import type { UsageReport } from "../../../services/accounts/usage-reports.ts";
import { toCount, toDayName, toMonthName, toNumber } from "../../kit/format.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { renderDays, renderParallel } from "./usage-charts.ts";

/** From this share of the plan's units on, the meter warns. */
const NEARLY = 0.8;

export function renderUsage(frame: Frame, report: UsageReport, firstPeriod: string): Html {
  const { period } = report;
  return html`<div class="row spread">
      <h1>Usage</h1>
      ${renderMonths(frame, report, firstPeriod)}
    </div>
    ${renderSum(frame, report)} ${hasAny(report) ? renderMonth(report) : renderEmpty(frame, report)}
    ${
      hasAny(report)
        ? html`<section class="card" aria-labelledby="files">
            <h2 id="files">As files</h2>
            <p class="fine">
              CSV, in UTC. Browsers stand in the month that they ended in, with the units of their whole life.
            </p>
            <p class="row">
              <a class="button" href="${frame.to(`/dashboard/usage.csv?month=${period}`)}">Units by day</a>
              <a class="button" href="${frame.to(`/dashboard/browsers.csv?month=${period}`)}">Browsers</a>
            </p>
          </section>`
        : ""
    }`;
}

function hasAny({ units, peaks }: UsageReport): boolean {
  return units > 0 || peaks.some((peak) => peak > 0);
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

/** What was used, and of how much: the plan is today's, so that it says nothing about earlier months. */
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
    ${isCurrent ? renderStanding(frame, allowance) : ""}
    ${
      isCurrent
        ? html`<p class="fine">
            The next month begins, and with it the count, on ${renderStart(laterPeriod(period, 1))}. Every minute that
            an open browser starts is a
            unit${
              openBrowsers === 0
                ? ""
                : html`; ${openBrowsers === 1 ? "one is" : `${toNumber(openBrowsers)} are`} open now`
            }.
          </p>`
        : ""
    }
  </section>`;
}

function renderStart(period: string): Html {
  const day = `${period}-01`;
  return html`<time datetime="${day}T00:00:00.000Z">${toDayName(day)}, 00:00 UTC</time>`;
}

function renderMeter(units: number, limit: number): Html {
  return html`<meter
    aria-label="Units used of this month's"
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

/** Whether Open still works, and what can be done about it. */
function renderStanding(frame: Frame, allowance: Allowance): Html {
  const { plan, unitsLeft, additionalUnits, hasAdditionalUnits } = allowance;
  const settings = frame.to("/dashboard/settings");
  if (plan === undefined) {
    return html`<p class="notice busy">
      Your account has no plan, so that it can open no browser. <a href="${settings}">See the plans in the settings</a>.
    </p>`;
  }
  if (plan.unitsPerMonth === undefined || unitsLeft === undefined)
    return html`<p>Your plan, ${plan.name}, sets no limit to units.</p>`;
  if (hasAdditionalUnits && additionalUnits > 0) {
    return html`<p class="notice busy">
      ${toCount(additionalUnits, "additional unit")}: past the plan's ${toNumber(plan.unitsPerMonth)}, and browsers can
      still be opened.
      <a href="${settings}">Additional units are on</a>.
    </p>`;
  }
  if (hasAdditionalUnits) {
    return html`<p>
      ${toLeft(unitsLeft)} of the plan's, and browsers can be opened past them:
      <a href="${settings}">additional units are on</a>.
    </p>`;
  }
  if (unitsLeft === 0) {
    return html`<p class="notice bad">
      No units are
      left${
        additionalUnits > 0 ? `, and ${toNumber(additionalUnits)} more were used by browsers that were open then` : ""
      }:
      no browser can be opened until next month, or until you <a href="${settings}">switch additional units on</a>.
    </p>`;
  }
  return html`<p>${toLeft(unitsLeft)}.</p>`;
}

function toLeft(units: number): string {
  return `${toCount(units, "unit")} ${units === 1 ? "is" : "are"} left`;
}

function renderMonth(report: UsageReport): Html {
  return html`<section class="card" aria-labelledby="by-day">
      <h2 id="by-day">Units by day</h2>
      ${renderDays(report)}
    </section>
    <section class="card" aria-labelledby="at-once">
      <h2 id="at-once">Browsers open at once</h2>
      ${renderParallel(report)}
    </section>`;
}

function renderEmpty(frame: Frame, { isCurrent, period }: UsageReport): Html {
  return html`<section class="card empty">
    <h2>No browser was open in ${toMonthName(period)}</h2>
    ${
      isCurrent
        ? html`<p>As soon as one is, its units are drawn here day by day.</p>
            <p><a class="button primary" href="${frame.to("/dashboard/quick-start")}">Open a first one</a></p>`
        : ""
    }
  </section>`;
}
