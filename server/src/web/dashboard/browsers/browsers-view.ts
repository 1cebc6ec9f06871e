import { html } from "hono/html";
import { type Allowance, isUsedUp } from "../../../domain/account/allowance.ts";
import { toCount } from "../../kit/amounts.ts";
import { renderCard, type Card } from "./browsers-card.ts";
import { type DoneWords, renderDone } from "../../kit/done.ts";
import type { Frame, Html } from "../../kit/layout.ts";

const ADDITIONAL_UNITS = "/dashboard/settings#additional-units";

const DONE: DoneWords = new Map([
  ["opened", "The browser is open."],
  ["closed", "The browser is closed."],
  ["stopped", "The desktop is stopped, and who watched it was let go."],
]);

/** An account's browsers, beside what it may have. */
export type Overview = {
  readonly cards: readonly Card[];
  readonly allowance: Allowance;
  /** Browsers that the machine carries: the limit of plans that name none of their own. */
  readonly capacity: number;
  readonly now: Date;
};

/** @param done The word after a form. */
export function renderBrowsers(frame: Frame, overview: Overview, done: string | undefined): Html {
  return html`<div class="row spread">
      <h1 id="title">Browsers</h1>
      <div class="row">
        <p id="live" class="badge" role="status"></p>
        <div id="offer">${overview.allowance.plan && !isUsedUp(overview.allowance) ? renderOffer(frame) : ""}</div>
      </div>
    </div>
    ${renderDone(DONE, done)} ${renderList(frame, overview)}`;
}

/** In the header it comes and goes with the plan, as the list does with what is open: the script renews both. */
function renderOffer(frame: Frame): Html {
  return html`<a class="button primary" href="${frame.to("/dashboard/open")}">Open a browser</a>`;
}

/** What follows the changes: the page's script puts the new one in the place of the old. */
function renderList(frame: Frame, overview: Overview): Html {
  const { cards, now, allowance } = overview;
  return html`<section
    id="browsers"
    class="stack"
    tabindex="-1"
    aria-labelledby="title"
    data-now="${now.toISOString()}"
    data-page="${frame.to("/dashboard")}"
    data-events="${frame.to("/dashboard/events")}"
  >
    ${renderStanding(frame, overview)}
    ${
      cards.length > 0
        ? html`<ul class="browsers" role="list">
            ${cards.map((shown) => renderCard(frame, shown))}
          </ul>`
        : allowance.plan
          ? renderNone(frame, allowance)
          : ""
    }
  </section>`;
}

function renderStanding(frame: Frame, { cards, allowance, capacity }: Overview): Html {
  const { plan, unitsUsed } = allowance;
  if (plan === undefined) return renderNoPlan(frame, cards.length);
  const parallel = plan.parallel ?? capacity;
  return html`<p class="row standing">
    <span role="status"><strong>${cards.length}</strong> of ${parallel} open</span>
    ${cards.length < parallel ? "" : html`<span class="badge busy">No more at once</span>`}
    <span class="units"
      >Units this month: <strong>${unitsUsed}</strong>${renderLimit(frame, plan.unitsPerMonth, allowance)}</span
    >
  </p>`;
}

function renderLimit(frame: Frame, limit: number | undefined, allowance: Allowance): Html {
  const { additionalUnits, hasAdditionalUnits } = allowance;
  if (limit === undefined) return html``;
  if (hasAdditionalUnits && additionalUnits > 0) return html` of ${limit}, ${additionalUnits} of them additional`;
  if (!isUsedUp(allowance)) return html` of ${limit}`;
  return html` of ${limit}
    <span class="badge bad">All used</span>
    <a href="${frame.to(ADDITIONAL_UNITS)}">Turn additional units on</a>`;
}

function renderNone(frame: Frame, allowance: Allowance): Html {
  if (isUsedUp(allowance)) {
    return html`<div class="card empty">
      <h2>No browser is open</h2>
      ${renderUsedUp(frame, allowance)}
    </div>`;
  }
  return html`<div class="card empty">
    <h2>No browser is open</h2>
    <p>Open one here and look around, or let your program do it: the quick start has the lines to copy.</p>
    <p class="actions">
      ${renderOffer(frame)}
      <a class="button" href="${frame.to("/dashboard/quick-start")}">Quick start</a>
    </p>
  </div>`;
}

/** Why none can be opened, and what to do. */
export function renderUsedUp(frame: Frame, { plan }: Allowance): Html {
  return html`<p>
      ${toCount(plan?.unitsPerMonth ?? 0, "unit")} of this month ${plan?.unitsPerMonth === 1 ? "is" : "are"} used: no
      browser can be opened until the next one begins (UTC), or additional units are on.
    </p>
    <p class="actions">
      <a class="button primary" href="${frame.to(ADDITIONAL_UNITS)}">See additional units</a>
    </p>`;
}

export function renderNoPlan(frame: Frame, open = 0): Html {
  return html`<div class="card ${open === 0 ? "empty" : ""}">
    <h2>There is no plan yet</h2>
    <p>A plan says how many browsers may be open and how long. Without one, none can be opened.</p>
    <p class="actions"><a class="button primary" href="${frame.to("/dashboard/settings")}">Choose a plan</a></p>
  </div>`;
}
