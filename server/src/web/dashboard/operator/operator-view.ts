import { html } from "hono/html";
import { type BrowserBounds, toMegabytes } from "../../../domain/machine/bounds.ts";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import type { Server } from "../../../ports/cluster/server-registry.ts";
import type { ListedBrowser } from "../../../ports/fleet.ts";
import type { Readiness } from "../../../services/health/readiness.ts";
import { type DoneWords, renderDone, renderTable } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { type AccountList, renderAccounts } from "./operator-accounts-view.ts";
import { renderMoment } from "../../kit/format.ts";
import type { PageServices } from "../../kit/page-services.ts";
import { isCluster, renderServers } from "./operator-servers-view.ts";

/** Path of the page that shows only the state, without the accounts. */
export const STATE_PATH = "/operator/now";

const DONE: DoneWords = new Map([
  ["closed", "Browser closed."],
  ["gone", "The browser was already closed."],
  ["cordon", "The server no longer opens browsers. Its open browsers stay open."],
  ["drain", "The server no longer opens browsers, and exits after its open browsers have closed."],
  ["uncordon", "The server opens browsers again."],
  ["unknown", "This server is no longer in the list."],
]);

/** An open browser as operators see it, without its content. */
type OpenRow = Pick<ListedBrowser, "id" | "accountId" | "kind" | "isHeadless" | "openedAt" | "clients" | "units"> & {
  /** Undefined while the account is being erased. */
  readonly email: string | undefined;
};

/** The current state of the service. */
export type ServiceState = Pick<PageServices, "bounds" | "versions"> & {
  readonly capacity: { readonly limit: number; readonly taken: number; readonly warm: number };
  readonly readiness: Readiness["last"];
  /** The servers that share the database; undefined if this is the only server. */
  readonly workers: readonly Server[] | undefined;
  readonly open: readonly OpenRow[];
};

export type Overview = AccountList & {
  /** The last form submission's result, from the URL. */
  readonly done: string | undefined;
  readonly service: ServiceState;
};

export function renderOverview(frame: Frame, overview: Overview): Html {
  return html`<h1>Operator</h1>
    ${renderDone(DONE, overview.done)}
    <p class="lead">
      Manage accounts and the browsers that are open. To protect your users' privacy, this page doesn't show the
      addresses, labels, screens or proxies of their browsers.
    </p>
    ${renderState(frame, overview.service)} ${renderAccounts(frame, overview)}`;
}

/** Renders only the state, which the operator page's script reloads every few seconds. */
export function renderStateAlone(frame: Frame, service: ServiceState): Html {
  return html`<h1>Operator</h1>
    ${renderState(frame, service)}
    <p><a class="button" href="${frame.to("/operator")}">Back to the operator page</a></p>`;
}

function renderState(frame: Frame, service: ServiceState): Html {
  const { open } = service;
  return html`<div id="now" class="stack" data-page="${frame.to(STATE_PATH)}">
    <div class="grid">
      ${renderCapacity(service)} ${renderReadiness(frame, service)}
      ${isCluster(service.workers) ? "" : renderBounds(service)} ${renderVersions(service)}
    </div>
    ${service.workers === undefined ? "" : renderServers(frame, service.workers)}
    <h2 id="open">Open browsers</h2>
    ${open.length === 0 ? html`<p class="card empty">No open browsers.</p>` : renderOpen(frame, open)}
  </div>`;
}

function renderCapacity({ capacity: { limit, taken, warm } }: ServiceState): Html {
  return html`<section class="card">
    <h2 id="room">Capacity</h2>
    <p class="figure">${taken} <small>of ${limit} browsers</small></p>
    <meter min="0" max="${limit}" value="${taken}" aria-labelledby="room">${taken} of ${limit}</meter>
    <p class="fine">Includes browsers that are being opened. ${warm} more ${warm === 1 ? "is" : "are"} warm.</p>
  </section>`;
}

/** Badge style and text for each status. */
const BADGES = {
  ready: ["good", "Ready"],
  full: ["busy", "Full"],
  draining: ["busy", "Draining"],
  broken: ["bad", "Broken"],
} as const;

function renderReadiness(frame: Frame, { readiness, workers }: ServiceState): Html {
  const [tone, text] =
    readiness === undefined ? (["busy", "Not checked yet"] as const) : BADGES[readiness.verdict.status];
  return html`<section class="card">
    <h2>Readiness</h2>
    <p><span class="badge ${tone}">${text}</span></p>
    ${readiness && "message" in readiness.verdict ? html`<p>${readiness.verdict.message}</p>` : ""}
    ${readiness && html`<p class="fine">As of ${renderMoment(readiness.at)}.</p>`}
    ${
      isCluster(workers)
        ? html`<p class="fine">
            A front-end is ready while it reaches the database and at least one worker that opens browsers.
          </p>`
        : html`<p class="fine">
            Each browser that starts successfully counts as a readiness check. If the last one is more than ten minutes
            old, <a href="${frame.to("/readyz")}">readyz</a> starts a browser to check.
          </p>`
    }
  </section>`;
}

function renderBounds({ bounds }: ServiceState): Html {
  return html`<section class="card">
    <h2>Browser limits</h2>
    ${
      bounds === undefined
        ? html`<p><span class="badge bad">No limits</span></p>
            <p class="fine">A page can use all of this machine's memory, disk and processors.</p>`
        : renderLimits(bounds)
    }
  </section>`;
}

function renderLimits({ memoryBytes, diskBytes, areFilesOnDisk, withoutGroups }: BrowserBounds): Html {
  return html`<dl class="facts">
      <dt>Memory</dt>
      <dd>${toMegabytes(memoryBytes)}</dd>
      <dt>Files</dt>
      <dd>${toMegabytes(diskBytes)}, ${areFilesOnDisk ? "on disk" : "in memory"}</dd>
    </dl>
    ${
      withoutGroups === undefined
        ? html`<p class="fine">Linux control groups enforce these limits. A plan can set a different memory limit.</p>`
        : html`<p class="fine">
            The server checks memory once a second, because it can't use control groups: ${withoutGroups}.
          </p>`
    }`;
}

function renderVersions({ versions: { server, contract, node } }: ServiceState): Html {
  return html`<section class="card">
    <h2>Versions</h2>
    <dl class="facts">
      <dt>Server</dt>
      <dd>${server}</dd>
      <dt>Contract</dt>
      <dd>${contract}</dd>
      <dt>Node.js</dt>
      <dd>${node}</dd>
    </dl>
  </section>`;
}

function renderOpen(frame: Frame, open: readonly OpenRow[]): Html {
  return renderTable({
    region: html`role="region" aria-labelledby="open" tabindex="0"`,
    columns: {
      Account: "",
      Browser: "",
      Kind: "",
      "Open since": "",
      Clients: "number",
      "Units so far": "number",
      Close: "unseen",
    },
    rows: open.map((browser) => renderRow(frame, browser)),
  });
}

function renderRow(frame: Frame, { id, accountId, email, kind, isHeadless, openedAt, clients, units }: OpenRow): Html {
  const owner = email ?? "Account being deleted";
  const sure = html`<p>The user loses unsaved work in this browser.</p>
    <button type="submit" class="danger small">Close browser</button>`;
  return html`<tr id="browser-${id}">
    <th scope="row">
      ${email === undefined ? owner : html`<a href="${frame.to(`/operator/accounts/${accountId}`)}">${email}</a>`}
    </th>
    <td data-name="Browser"><code class="id">${id}</code></td>
    <td data-name="Kind">${KIND_WORDS[kind]}${isHeadless && kind !== "chrome-headless-shell" ? ", headless" : ""}</td>
    <td data-name="Open since">${renderMoment(openedAt)}</td>
    <td class="number" data-name="Clients">${clients}</td>
    <td class="number" data-name="Units so far">${units}</td>
    <td>
      <details class="asks">
        <summary class="button small">Close <span class="unseen">browser ${id}</span></summary>
        ${renderForm(frame, `/operator/browsers/${id}/close`, sure, { className: "stack" })}
      </details>
    </td>
  </tr>`;
}
