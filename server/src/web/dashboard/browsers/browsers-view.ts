import { html } from "hono/html";
import { type Allowance, isUsedUp } from "../../../domain/account/allowance.ts";
import { toCount } from "../../kit/format.ts";
import { renderCard, type Card } from "./browsers-card.ts";
import { type DoneWords, renderDone } from "../../kit/components.ts";
import type { Frame, Html } from "../../kit/layout.ts";

const ADDITIONAL_UNITS = "/dashboard/settings#additional-units";

const DONE: DoneWords = new Map([
  ["opened", "The browser is open."],
  ["extended", "The browser stays open longer."],
  ["closed", "Browser closed."],
  ["stopped", "Desktop stopped. Its viewers were disconnected."],
]);

/** An account's browsers and limits. */
export type Overview = {
  readonly cards: readonly Card[];
  readonly allowance: Allowance;
  /** Maximum number of open browsers on the machine: the limit for plans that don't set one. */
  readonly capacity: number;
  readonly now: Date;
};

/** @param done The result of the last submitted form: a key of `DONE`. */
export function renderBrowsers(frame: Frame, overview: Overview, done: string | undefined): Html {
  return html`<div class="row spread">
      <h1 id="title">Browsers</h1>
      <p id="limits" class="row limits">${renderLimits(frame, overview)}</p>
      <div class="row">
        <p id="live" class="badge" role="status"></p>
        <div id="offer">${overview.allowance.plan && !isUsedUp(overview.allowance) ? renderOffer(frame) : ""}</div>
      </div>
    </div>
    ${renderDone(DONE, done)} ${renderList(frame, overview)}`;
}

function renderOffer(frame: Frame): Html {
  return html`<a class="button primary" href="${frame.to("/dashboard/open")}">Open a browser</a>`;
}

/** The page's script replaces this list whenever something changes. */
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
    ${allowance.plan === undefined ? renderNoPlan(frame, cards.length) : ""}
    ${
      cards.length > 0
        ? html`<ul class="browsers" role="list">
            ${cards.map((card) => renderCard(frame, card))}
          </ul>`
        : allowance.plan
          ? renderNoBrowsers(frame, allowance)
          : ""
    }
  </section>`;
}

function renderLimits(frame: Frame, { cards, allowance, capacity }: Overview): Html {
  const { plan, unitsUsed } = allowance;
  if (plan === undefined) return html``;
  const parallel = plan.parallel ?? capacity;
  return html`<span role="status"><strong>${cards.length}</strong> of ${parallel} open</span>
    ${cards.length < parallel ? "" : html`<span class="badge busy">Limit reached</span>`}
    <span
      >Units this month: <strong>${unitsUsed}</strong>${renderUnitLimit(frame, plan.unitsPerMonth, allowance)}</span
    >`;
}

function renderUnitLimit(frame: Frame, limit: number | undefined, allowance: Allowance): Html {
  const { additionalUnits, hasAdditionalUnits } = allowance;
  if (limit === undefined) return html``;
  if (hasAdditionalUnits && additionalUnits > 0) return html` (${limit} in the plan, ${additionalUnits} additional)`;
  if (!isUsedUp(allowance)) return html` of ${limit}`;
  return html` of ${limit}
    <span class="badge bad">All used</span>
    <a href="${frame.to(ADDITIONAL_UNITS)}">Turn on additional units</a>`;
}

function renderNoBrowsers(frame: Frame, allowance: Allowance): Html {
  if (isUsedUp(allowance)) {
    return html`<div class="card empty">
      <h2>No open browsers</h2>
      ${renderUsedUp(frame, allowance)}
    </div>`;
  }
  return html`<div class="card empty">
    <h2>No open browsers</h2>
    <p>Open a browser here or from your program. The quick start has code that you can copy.</p>
    <p class="actions">
      ${renderOffer(frame)}
      <a class="button" href="${frame.to("/dashboard/quick-start")}">Quick start</a>
    </p>
  </div>`;
}

/** Explains why the account can't open browsers, and what the user can do. */
export function renderUsedUp(frame: Frame, { plan }: Allowance): Html {
  return html`<p>
      You have used your ${toCount(plan?.unitsPerMonth ?? 0, "unit")} for this month. To open browsers before the next
      month begins (UTC), turn on additional units.
    </p>
    <p class="actions">
      <a class="button primary" href="${frame.to(ADDITIONAL_UNITS)}">Go to additional units</a>
    </p>`;
}

export function renderNoPlan(frame: Frame, open = 0): Html {
  return html`<div class="card ${open === 0 ? "empty" : ""}">
    <h2>Choose a plan to start</h2>
    <p>You need a plan to open browsers. It sets how many browsers you can open, and how long they can stay open.</p>
    <p class="actions"><a class="button primary" href="${frame.to("/dashboard/settings")}">Choose a plan</a></p>
  </div>`;
}
