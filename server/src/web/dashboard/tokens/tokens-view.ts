import { html } from "hono/html";
import type { TokenEntry } from "../../../ports/store/token-store.ts";
import { MAX_NAME_LENGTH } from "../../../services/accounts/tokens.ts";
import { renderCodeBlock, type DoneWords, renderDone, renderField, renderTable } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment, toAgo, toShellWord } from "../../kit/format.ts";

export type TokensShown = {
  readonly entries: readonly TokenEntry[];
  readonly now: Date;
  /** The name entered for a new token, and its validation error. */
  readonly name: string;
  readonly fault?: string;
  /** Another form's error. */
  readonly refusal?: string;
  /** The result of the last submitted form, from the URL. */
  readonly done?: string | undefined;
};

type NewTokenShown = {
  readonly token: string;
  readonly lead: string;
  /** Base URL of the API. */
  readonly url: string;
};

const DONE: DoneWords = new Map([["revoked", "Token revoked. It no longer works."]]);

export function renderTokens(frame: Frame, shown: TokensShown): Html {
  const { entries, now, refusal, done } = shown;
  return html`<h1>Tokens</h1>
    <p class="lead">
      Your programs use a token to call the API. Anyone who has the token can open browsers in your account, so keep it
      secret. Create a separate token for each program so that you can revoke them individually.
    </p>
    ${refusal === undefined ? "" : html`<p class="notice bad" role="alert">${refusal}</p>`} ${renderDone(DONE, done)}
    ${entries.length === 0 ? renderEmpty() : renderEntries(frame, entries, now)} ${renderCreate(frame, shown)}`;
}

function renderEmpty(): Html {
  return html`<section class="card empty">
    <h2>No tokens yet</h2>
    <p>Create your first token below. Your programs need it for every API call.</p>
  </section>`;
}

function renderCreate(frame: Frame, { name, fault }: TokensShown): Html {
  const fields = html`${renderField({
      name: "name",
      label: "Name",
      hint: 'What you use the token for, such as "nightly prices". Only you can see the name.',
      faults: fault,
      control: html`required maxlength="${MAX_NAME_LENGTH}" autocomplete="off" value="${name}"
      ${fault === undefined ? "" : "autofocus"}`,
    })}
    <p><button type="submit" class="primary">Create token</button></p>`;
  return html`<section class="card">
    <h2>New token</h2>
    ${renderForm(frame, "/dashboard/tokens", fields, { className: "stack" })}
  </section>`;
}

function renderEntries(frame: Frame, entries: readonly TokenEntry[], now: Date): Html {
  return renderTable({
    region: html`role="region" aria-label="Your tokens"`,
    className: "tokens",
    columns: { Name: "", Token: "", Created: "", "Last used": "", Actions: "" },
    rows: entries.map((entry) => renderRow(frame, entry, now)),
  });
}

function renderRow(frame: Frame, entry: TokenEntry, now: Date): Html {
  const { name, prefix, createdAt, lastUsedAt } = entry;
  return html`<tr>
    <th scope="row"><bdi>${name}</bdi></th>
    <td data-name="Token"><code>${prefix}…</code></td>
    <td data-name="Created">${renderMoment(createdAt)}</td>
    <td data-name="Last used">
      ${
        lastUsedAt === undefined
          ? "Never"
          : html`<div>
              ${toAgo(now.getTime() - lastUsedAt.getTime())}<br /><span class="fine">${renderMoment(lastUsedAt)}</span>
            </div>`
      }
    </td>
    <td>${renderChanges(frame, entry)}</td>
  </tr>`;
}

function renderChanges(frame: Frame, { id, name, prefix }: TokenEntry): Html {
  const which = html`<input type="hidden" name="id" value="${id}" />`;
  const renew = html`<p>
      This token stops working immediately, and you get a new one. Browsers that were opened with it stay open.
    </p>
    ${which}<input type="hidden" name="prefix" value="${prefix}" />
    <button type="submit" class="small primary">Renew token</button>`;
  const revoke = html`<p>
      This token stops working immediately. You can't undo this. Browsers that were opened with it stay open.
    </p>
    ${which}
    <button type="submit" class="small danger">Revoke token</button>`;
  // The two `details` elements have the same name, so opening one closes the other.
  return html`<div class="actions changes">
    <details name="change-${id}">
      <summary class="button small">Renew<span class="unseen"> the token ${name}</span></summary>
      ${renderForm(frame, "/dashboard/tokens/renew", renew, { className: "stack" })}
    </details>
    <details name="change-${id}">
      <summary class="button small">Revoke<span class="unseen"> the token ${name}</span></summary>
      ${renderForm(frame, "/dashboard/tokens/revoke", revoke, { className: "stack" })}
    </details>
  </div>`;
}

/** Renders the only page that shows a complete token. */
export function renderNewToken(frame: Frame, { token, lead, url }: NewTokenShown): Html {
  const lines = [
    `export RBS_TOKEN=${toShellWord(token)}`,
    `curl ${toShellWord(`${url}/api/v1/Browser/Get`)} -H "Authorization: Bearer $RBS_TOKEN"`,
  ].join("\n");
  return html`<h1>Your new token</h1>
    <p class="lead">${lead}</p>
    <section class="card" aria-labelledby="copy-it" data-leave-for="${frame.to("/dashboard/tokens")}">
      <h2 id="copy-it">Copy it now</h2>
      <p class="notice busy">You won't be able to see it again: the server stores only its hash.</p>
      <div class="row copied">
        <code class="secret" id="token">${token}</code>
        <button type="button" class="primary" data-copy="${token}">Copy<span class="unseen"> the token</span></button>
      </div>
    </section>
    <section class="card" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      ${renderCodeBlock({ id: "try", title: "Shell", text: lines })}
      <p class="hint">
        This lists your open browsers. <code>"sessions":[]</code> means that you have no open browsers.
      </p>
    </section>
    <p class="actions">
      <a class="button" href="${frame.to("/dashboard/quick-start")}">Quick start: open a browser</a>
      <a class="button" href="${frame.to("/dashboard/tokens")}">All tokens</a>
    </p>`;
}
