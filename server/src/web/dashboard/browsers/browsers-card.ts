import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import { isVisible } from "../../../domain/account/visible-text.ts";
import type { OpenBrowser } from "../../../services/browsers/open-browser.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment, toAgo } from "../../kit/moment.ts";
import { toShortAddress } from "../../kit/short-address.ts";
import { toSpan } from "../../kit/span.ts";

/** Where the pictures and buttons of the account's browsers lead to. */
export const BROWSERS_PATH = "/dashboard/browsers";

/** A browser, as its owner sees it at this moment. */
export type Card = { readonly browser: OpenBrowser; readonly isDesktopStarted: boolean; readonly now: Date };

export function renderCard(frame: Frame, shown: Card): Html {
  const { browser } = shown;
  const { id, label } = browser;
  const isNamed = label !== undefined && isVisible(label);
  // What a label says is set off from what stands beside it: it may be written from right to left.
  const name = isNamed ? html`<bdi>${label}</bdi>` : "No label";
  return html`<li class="card browser" id="browser-${id}">
    <div class="shot" id="shot-${id}">
      <p class="shot-none" aria-hidden="true">No picture yet</p>
      <img
        id="picture-${id}"
        src="${frame.to(`${BROWSERS_PATH}/${id}/picture`)}"
        alt="${isNamed ? `What ${label} shows` : "What this browser shows"}"
        width="640"
        height="360"
        loading="lazy"
      />
    </div>
    <h2 id="name-${id}" class="${isNamed ? "name" : "name unnamed"}">${name}</h2>
    <p class="row badges">
      <span class="badge">${KIND_WORDS[browser.kind]}</span>
      <span class="badge">${browser.isHeadless ? "Headless" : "Graphical"}</span>
      ${renderClients(browser.clients)}
      ${shown.isDesktopStarted ? html`<span class="badge busy">Desktop started</span>` : ""}
    </p>
    ${renderFacts(shown)} ${renderActions(frame, shown)}
  </li>`;
}

function renderClients(clients: number): Html {
  return clients === 0
    ? html`<span class="badge">nobody connected</span>`
    : html`<span class="badge good">${clients} connected</span>`;
}

function renderFacts({ browser, now }: Card): Html {
  const { id, openedAt, address, proxyHost } = browser;
  return html`<dl class="facts">
    <dt>Started</dt>
    <dd>
      <span data-since="${openedAt.toISOString()}">${toAgo(openedAt, now)}</span>
      <span class="fine">${renderMoment(openedAt)}</span>
    </dd>
    <dt>Closes</dt>
    <dd>${renderEnd(browser, now)}</dd>
    <dt>Goes out</dt>
    <dd>${proxyHost === undefined ? "directly" : html`through <bdi class="mono">${proxyHost}</bdi>`}</dd>
    <dt>Address</dt>
    <dd class="address">
      <details id="address-${id}">
        <summary><span class="unseen">Show all of </span><code>${toShortAddress(address)}</code></summary>
        <p class="secret">${address}</p>
      </details>
      <button type="button" class="small" id="copy-${id}" data-copy="${address}" aria-describedby="name-${id}">
        Copy
      </button>
    </dd>
  </dl>`;
}

/** When it closes by itself. */
function renderEnd({ due, clients }: OpenBrowser, now: Date): Html {
  if (due === undefined) return clients === 0 ? html`not by itself` : html`not while somebody is connected`;
  const left = toSpan(due.at.getTime() - now.getTime());
  const countdown = html`in <span class="left" data-closes-at="${due.at.toISOString()}">${left}</span>`;
  return due.reason === "inactive"
    ? html`${countdown}, unless somebody connects`
    : html`${countdown}, at the longest lifetime of your plan`;
}

function renderActions(frame: Frame, { browser, isDesktopStarted }: Card): Html {
  const { id, screen } = browser;
  const post = (action: string, button: Html, isNewTab = false): Html =>
    renderForm(frame, `${BROWSERS_PATH}/${id}/${action}`, button, { isNewTab });
  const about = html`aria-describedby="name-${id}"`;
  const open = html`<button type="submit" class="small" id="open-${id}" aria-label="Open desktop in a new tab" ${about}>
    Open desktop
  </button>`;
  const stop = html`<button type="submit" class="small" id="stop-${id}" ${about}>Stop desktop</button>`;
  const close = html`<p>Close this browser? What is open in it is lost.</p>
    <button type="submit" class="small danger" id="close-${id}" ${about}>Close it</button>`;
  return html`<div class="row steps">
    ${screen === undefined ? html`<p class="fine">No desktop: headless</p>` : post("desktop", open, true)}
    ${isDesktopStarted ? post("desktop/stop", stop) : ""}
    <details class="ask" id="ask-${id}">
      <summary class="button small" ${about}>
        <span class="when-shut">Close…</span><span class="when-open">Keep it open</span>
      </summary>
      ${post("close", close)}
    </details>
  </div>`;
}
