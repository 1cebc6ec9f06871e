import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import { isVisible } from "../../../domain/account/visible-text.ts";
import { EXTENSION_MS, isAtPlanLimit, toExtension } from "../../../domain/browser/extension.ts";
import type { ListedBrowser } from "../../../ports/fleet.ts";
import { renderId, renderTags } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment, toAgo, toCount, toSpan } from "../../kit/format.ts";

/** Prefix of the routes for a browser's picture and buttons. */
export const BROWSERS_PATH = "/dashboard/browsers";

/** Maximum number of tags on a card. If tags are cut off, the details list all tags. */
const MAX_TAGS = 3;
/** Longer tags may not fit on a card. */
const MAX_TAG_LENGTH = 24;

export type Card = {
  readonly browser: ListedBrowser;
  readonly now: Date;
  /** The account's plan, with the account's own limits; undefined if the account has no plan. */
  readonly plan: Plan | undefined;
};

export function renderCard(frame: Frame, card: Card): Html {
  const { browser } = card;
  const { id, label, clients } = browser;
  const isNamed = label !== undefined && isVisible(label);
  // The bdi element keeps a right-to-left label from reordering the text around it.
  const name = isNamed ? html`<bdi title="${label}">${label}</bdi>` : "No label";
  const kind = KIND_WORDS[browser.kind];
  const pictureUrl = frame.to(`${BROWSERS_PATH}/${id}/picture`);
  return html`<li class="card browser" id="browser-${id}">
    <div class="shot" id="shot-${id}" data-picture="${pictureUrl}">
      <p class="shot-none" aria-hidden="true">No picture yet</p>
      <img
        id="picture-${id}"
        src="${pictureUrl}"
        alt="${isNamed ? `Picture of ${label}` : "Picture of this browser"}"
        width="640"
        height="360"
        loading="lazy"
      />
      <p class="age" hidden><span class="unseen">Picture taken </span><span data-taken-at=""></span></p>
    </div>
    <h2 id="name-${id}" class="${isNamed ? "name" : "name unnamed"}">${name}</h2>
    <p class="about">
      <span>${browser.isHeadless && browser.kind !== "chrome-headless-shell" ? `${kind}, headless` : kind}</span>
      ${browser.desktopPassword !== undefined ? html`<span class="badge busy">Desktop on</span>` : ""}
      <span class="badge ${clients === 0 ? "" : "good"}">${toClients(clients)}</span>
    </p>
    ${renderTags(browser.tags, { max: MAX_TAGS })} ${renderDetails(frame, card)} ${renderActions(frame, card)}
  </li>`;
}

function toClients(clients: number): string {
  return clients === 0 ? "No clients" : toCount(clients, "client");
}

/** Renders a line with the closing time, which expands to all details. */
function renderDetails(frame: Frame, { browser, now, plan }: Card): Html {
  const { id, tags, openedAt, address, proxyHost, hasScreen, desktopPassword } = browser;
  return html`<details class="details" id="details-${id}">
    <summary class="bare" aria-describedby="name-${id}">
      <span class="ends"
        >${renderCountdown(browser, now)}${isAtPlanLimit(browser, plan?.maxLifetimeMs) ? " (plan limit)" : ""}</span
      ><span class="unseen">. </span>
      <span class="more">Details</span>
    </summary>
    <dl class="facts">
      <dt>Started</dt>
      <dd>
        <span data-since="${openedAt.toISOString()}">${toAgo(now.getTime() - openedAt.getTime())}</span>
        <span class="fine">${renderMoment(openedAt)}</span>
      </dd>
      <dt>Closes</dt>
      <dd>${renderEnd(browser, plan)}</dd>
      <dt>Proxy</dt>
      <dd>${proxyHost === undefined ? "None" : html`<bdi class="mono">${proxyHost}</bdi>`}</dd>
      <dt>Desktop</dt>
      <dd>
        ${
          !hasScreen
            ? "Not available for headless browsers"
            : desktopPassword !== undefined
              ? html`Started
                ${renderPost(frame, `${id}/desktop/stop`, html`<button type="submit" class="small" id="stop-${id}">Stop desktop</button>`)}`
              : "Not started"
        }
      </dd>
      <dt>Id</dt>
      <dd>${renderId(id)}</dd>
      <dt>Address</dt>
      <dd class="secret">${address}</dd>
      ${
        isCut(tags)
          ? html`<dt>Tags</dt>
              <dd>${renderTags(tags)}</dd>`
          : ""
      }
    </dl>
  </details>`;
}

function isCut(tags: readonly string[]): boolean {
  return tags.length > MAX_TAGS || tags.some(({ length }) => length > MAX_TAG_LENGTH);
}

function renderCountdown({ due, clients }: ListedBrowser, now: Date): Html {
  if (due === undefined) return clients === 0 ? html`Stays open` : html`Stays open while in use`;
  const left = toSpan(due.at.getTime() - now.getTime());
  return html`Closes in <span class="left" data-closes-at="${due.at.toISOString()}">${left}</span>`;
}

function renderEnd({ openedAt, due, clients }: ListedBrowser, plan: Plan | undefined): Html {
  if (due === undefined) return clients === 0 ? html`Only when you close it` : html`Not while a client is connected`;
  if (due.reason === "inactive") return html`${renderMoment(due.at)}, unless a client connects`;
  const { maxLifetimeMs } = plan ?? {};
  if (maxLifetimeMs === undefined || !isAtPlanLimit({ openedAt, due }, maxLifetimeMs))
    return html`${renderMoment(due.at)}, even if a client is connected`;
  return html`${renderMoment(due.at)} (your plan's maximum lifetime of ${toSpan(maxLifetimeMs)})`;
}

function renderActions(frame: Frame, { browser, plan }: Card): Html {
  const { id, address, hasScreen } = browser;
  const about = html`aria-describedby="name-${id}"`;
  const open = html`<button type="submit" class="small" id="open-${id}" aria-label="Open desktop in a new tab" ${about}>
    Desktop
  </button>`;
  const extend = html`<button
    type="submit"
    class="small"
    id="extend-${id}"
    title="Closes ${toSpan(EXTENSION_MS)} later, within your plan"
    ${about}
  >
    Extend
  </button>`;
  const close = html`<p>Close this browser? You'll lose any unsaved work in it.</p>
    <button type="submit" class="small danger" id="close-${id}" ${about}>Close it</button>`;
  return html`<div class="row steps">
    ${hasScreen ? renderPost(frame, `${id}/desktop`, open, { isNewTab: true }) : ""}
    <button type="button" class="small" id="copy-${id}" title="Copy the address" data-copy="${address}" ${about}>
      Copy<span class="unseen"> address</span>
    </button>
    ${plan && toExtension(browser, plan.maxLifetimeMs) ? renderPost(frame, `${id}/extend`, extend) : ""}
    <details class="ask" id="ask-${id}">
      <summary class="button small" ${about}>
        <span class="when-shut">Close…</span><span class="when-open">Keep it open</span>
      </summary>
      ${renderPost(frame, `${id}/close`, close, { className: "stack" })}
    </details>
  </div>`;
}

function renderPost(frame: Frame, action: string, content: Html, options = {}): Html {
  return renderForm(frame, `${BROWSERS_PATH}/${action}`, content, options);
}
