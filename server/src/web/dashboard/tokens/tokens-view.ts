import { html } from "hono/html";
import { MAX_NAME_LENGTH, type Tokens } from "../../../services/accounts/tokens.ts";
import { type DoneWords, renderDone, renderField, toFaults } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment, toAgo } from "../../kit/format.ts";

type Entry = Awaited<ReturnType<Tokens["list"]>>[number];

export type TokensShown = {
  readonly entries: readonly Entry[];
  readonly now: Date;
  /** What was entered as a new token's name, and what is wrong with it. */
  readonly name: string;
  readonly fault?: string;
  /** Why another form did nothing. */
  readonly refusal?: string;
  /** The word after a form. */
  readonly done?: string | undefined;
};

const DONE: DoneWords = new Map([["revoked", "The token was revoked: nobody gets in with it any more."]]);

export function renderTokens(frame: Frame, shown: TokensShown): Html {
  const { entries, now, refusal, done } = shown;
  return html`<h1>Tokens</h1>
    <p class="lead">
      A program calls the API with a token: whoever has it opens browsers in your name. Give each program its own, so
      that you can take one back without the others.
    </p>
    ${refusal === undefined ? "" : html`<p class="notice bad" role="alert">${refusal}</p>`} ${renderDone(DONE, done)}
    ${entries.length === 0 ? renderEmpty() : renderTable(frame, entries, now)} ${renderCreate(frame, shown)}`;
}

function renderEmpty(): Html {
  return html`<section class="card empty">
    <h2>No tokens yet</h2>
    <p>Make the first one below: your programs need it for every call.</p>
  </section>`;
}

function renderCreate(frame: Frame, { name, fault }: TokensShown): Html {
  const fields = html`${renderField({
      name: "name",
      label: "Name",
      hint: 'What will use it, such as "nightly prices". You alone see it.',
      faults: toFaults(fault),
      control: (marks) =>
        html`<input
          ${marks}
          required
          maxlength="${MAX_NAME_LENGTH}"
          autocomplete="off"
          value="${name}"
          ${fault === undefined ? "" : "autofocus"}
        />`,
    })}
    <p><button type="submit" class="primary">Create token</button></p>`;
  return html`<section class="card">
    <h2>New token</h2>
    ${renderForm(frame, "/dashboard/tokens", fields, { className: "stack" })}
  </section>`;
}

function renderTable(frame: Frame, entries: readonly Entry[], now: Date): Html {
  return html`<section class="card table" aria-label="Your tokens">
    <table class="tokens stacked">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => renderRow(frame, entry, now))}
      </tbody>
    </table>
  </section>`;
}

function renderRow(frame: Frame, entry: Entry, now: Date): Html {
  const { name, prefix, createdAt, lastUsedAt } = entry;
  return html`<tr>
    <th scope="row"><bdi>${name}</bdi></th>
    <td data-name="Begins with"><code>${prefix}…</code></td>
    <td data-name="Created">${renderMoment(createdAt)}</td>
    <td data-name="Last used">
      ${
        lastUsedAt === undefined
          ? "never"
          : html`<div>${toAgo(lastUsedAt, now)}<br /><span class="fine">${renderMoment(lastUsedAt)}</span></div>`
      }
    </td>
    <td>${renderChanges(frame, entry)}</td>
  </tr>`;
}

function renderChanges(frame: Frame, { id, name, prefix }: Entry): Html {
  const which = html`<input type="hidden" name="id" value="${id}" />`;
  const renew = html`<p>A new token takes its place, and this one stops at once. Browsers that it opened stay open.</p>
    ${which}<input type="hidden" name="prefix" value="${prefix}" />
    <button type="submit" class="small primary">Renew it now</button>`;
  const revoke = html`<p>It stops at once, and can't be brought back. Browsers that it opened stay open.</p>
    ${which}
    <button type="submit" class="small danger">Revoke it now</button>`;
  // Of one name, so that opening one closes the other.
  return html`<div class="changes">
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
