import { html } from "hono/html";
import { KIND_WORDS } from "../../../domain/browser/browser-kind.ts";
import { isCallable } from "../../../ports/cluster/worker-call-rules.ts";
import {
  findSharedUrls,
  type Role,
  toServerState,
  type Server,
  type ServerState,
} from "../../../ports/cluster/server-registry.ts";
import { renderTable } from "../../kit/components.ts";
import { renderMoment } from "../../kit/format.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";

const ROLES: Readonly<Record<Role, string>> = { all: "Server", front: "Front-end", worker: "Worker" };

/** Badge style and text for each state. */
const BADGES: Readonly<Record<ServerState, readonly [tone: string, text: string]>> = {
  active: ["good", "Running"],
  cordoned: ["busy", "Cordoned"],
  draining: ["busy", "Draining"],
  stopping: ["busy", "Stopping"],
  left: ["busy", "Stopped, cordoned"],
  silent: ["bad", "Not reporting"],
};

/** Renders the servers that share a database, with buttons to cordon and drain them. */
export function renderServers(frame: Frame, servers: readonly Server[]): Html {
  const arePlansEqual = new Set(servers.filter(({ isAlive }) => isAlive).map(({ plans }) => plans)).size <= 1;
  return html`<h2 id="servers">Servers</h2>
    <p class="fine">
      These servers share the database. This page shows the state and the open browsers of
      ${isCluster(servers) ? "all workers" : "the server that you are connected to"}.
    </p>
    ${
      arePlansEqual
        ? ""
        : html`<p class="notice bad">
            These servers have different plans. Set <code>RBS_PLANS</code> to the same file on all of them.
          </p>`
    }
    ${
      servers.some(isForeign)
        ? html`<p class="notice bad">
            This front-end opens no browsers on workers whose release is too old or too new. Update the workers with the
            state “Other release”, or this front-end. Update workers before front-ends.
          </p>`
        : ""
    }
    ${findSharedUrls(servers).map(({ message }) => html`<p class="notice bad">${message}</p>`)}
    ${renderTable({
      region: html`role="region" aria-labelledby="servers" tabindex="0"`,
      className: "servers",
      columns: {
        Server: "",
        State: "",
        Browsers: "number",
        Kinds: "",
        Version: "",
        "Last report": "",
        Change: "unseen",
      },
      rows: servers.toSorted(byRole).map((server) => renderServer(frame, server, arePlansEqual)),
    })}`;
}

/** Whether browsers run on workers instead of on the servers that serve these pages. */
export function isCluster(servers: readonly Server[] | undefined): boolean {
  return servers?.some(({ role }) => role === "front") ?? false;
}

/** Front-ends first. */
function byRole(one: Server, other: Server): number {
  return Number(other.role === "front") - Number(one.role === "front");
}

function renderServer(frame: Frame, server: Server, arePlansEqual: boolean): Html {
  const { id, role = "all", url, kinds, version, plans, seenAt } = server;
  const [tone, text] = isForeign(server) ? (["bad", "Other release"] as const) : BADGES[toServerState(server)];
  const hasBrowsers = role !== "front";
  return html`<tr id="server-${id}">
    <th scope="row">
      <code class="id">${id}</code>
      <small>${ROLES[role]}${url === undefined ? "" : html` at ${new URL(url).host}`}</small>
    </th>
    <td data-name="State"><span class="badge ${tone}">${text}</span></td>
    ${
      hasBrowsers
        ? html`<td class="number" data-name="Browsers">${renderLoad(server)}</td>
            <td data-name="Kinds">${kinds.map((kind) => KIND_WORDS[kind]).join(", ")}</td>`
        : html`<td colspan="2"></td>`
    }
    <td data-name="Version">
      <div>${version} ${arePlansEqual ? "" : html`<small>Plans <code>${plans}</code></small>`}</div>
    </td>
    <td data-name="Last report">${renderMoment(seenAt)}</td>
    <td>${hasBrowsers ? renderActions(frame, server) : ""}</td>
  </tr>`;
}

/** Whether the worker is active, but runs a release that is incompatible with this front-end. */
function isForeign(server: Server): boolean {
  return server.role === "worker" && toServerState(server) === "active" && !isCallable(server.calls);
}

function renderLoad({ taken, capacity, warm }: Server): Html {
  return html`<div class="load">
    ${taken} of ${capacity}
    <meter min="0" max="${capacity}" value="${taken}" aria-hidden="true"></meter>
    <small>${warm} warm</small>
  </div>`;
}

function renderActions(frame: Frame, { id, wanted, phase }: Server): Html {
  return html`<div class="actions">
    ${wanted === "active" ? "" : renderUncordon(frame, id)}
    ${wanted === "active" ? renderAction(frame, id, "Cordon", CORDON) : ""}
    ${wanted === "draining" || phase !== undefined ? "" : renderAction(frame, id, "Drain", DRAIN)}
  </div>`;
}

function renderUncordon(frame: Frame, id: string): Html {
  const button = html`<button type="submit" class="small">Uncordon<span class="unseen"> ${id}</span></button>`;
  return renderForm(frame, `/operator/servers/${id}/uncordon`, button);
}

const CORDON = "The server stops opening browsers, even after a restart. Its open browsers stay open.";
const DRAIN =
  "The server stops opening browsers, and exits after its open browsers have closed. After a restart, it opens browsers again.";

/** Renders a button that explains its effect before it acts. */
function renderAction(frame: Frame, id: string, label: string, effect: string): Html {
  const action = label.toLowerCase();
  const sure = html`<p>${effect}</p>
    <button type="submit" class="small">${label} server</button>`;
  return html`<details class="asks" id="${action}-${id}">
    <summary class="button small">${label}<span class="unseen"> server ${id}</span></summary>
    ${renderForm(frame, `/operator/servers/${id}/${action}`, sure, { className: "stack" })}
  </details>`;
}
