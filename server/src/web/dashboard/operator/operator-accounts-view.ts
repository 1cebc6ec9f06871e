import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/account/plan.ts";
import type { DeskPage } from "../../../services/accounts/account-desk.ts";
import type { AccountReport } from "../../../services/accounts/accounts.ts";
import { renderUnits } from "./account-units.ts";
import { renderMoment, toCount } from "../../kit/format.ts";
import type { Frame, Html } from "../../kit/layout.ts";

export type AccountList = {
  readonly accounts: DeskPage;
  readonly search: string;
  readonly isFirstPage: boolean;
  readonly plans: Plans;
};

/** The list of accounts, with what finds one. */
export function renderAccounts(frame: Frame, list: AccountList): Html {
  const { accounts, search, isFirstPage, plans } = list;
  return html`<div class="row spread">
      <h2 id="accounts">Accounts</h2>
      <a class="button" href="${frame.to("/operator/accounts/new")}">New account</a>
    </div>
    <form method="get" action="${frame.to("/operator")}#accounts" role="search" class="row find">
      <label for="search">E-mail or id</label>
      <input id="search" name="search" type="search" maxlength="254" value="${search}" />
      <button type="submit">Search</button>
      ${search === "" ? "" : html`<a href="${frame.to("/operator")}#accounts">All accounts</a>`}
    </form>
    ${accounts.entries.length === 0 ? renderNone(search, isFirstPage) : renderTable(frame, accounts.entries, plans)}
    ${renderTurning(frame, list)}`;
}

function renderNone(search: string, isFirstPage: boolean): Html {
  if (!isFirstPage) return html`<p class="card empty">There are no more accounts.</p>`;
  return html`<p class="card empty">No account has ${JSON.stringify(search)} in its e-mail, or as its id.</p>`;
}

function renderTurning(frame: Frame, { accounts: { last }, search, isFirstPage }: AccountList): Html {
  const toPage = (behind: string | undefined): string => {
    const query = new URLSearchParams({
      ...(search === "" ? {} : { search }),
      ...(behind === undefined ? {} : { behind }),
    });
    return `${frame.to("/operator")}?${query.toString()}#accounts`;
  };
  if (last === undefined && isFirstPage) return html``;
  return html`<nav class="row" aria-label="Pages of accounts">
    ${isFirstPage ? "" : html`<a class="button" href="${toPage(undefined)}">First page</a>`}
    ${last === undefined ? "" : html`<a class="button" href="${toPage(last)}">Next page</a>`}
  </nav>`;
}

function renderTable(frame: Frame, entries: readonly AccountReport[], plans: Plans): Html {
  return html`<div class="card table" role="region" aria-labelledby="accounts" tabindex="0">
    <table class="stacked">
      <thead>
        <tr>
          <th scope="col">E-mail</th>
          <th scope="col">Plan</th>
          <th scope="col" class="number">Units this month</th>
          <th scope="col" class="number">Open</th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        ${entries.map((entry) => renderEntry(frame, entry, plans))}
      </tbody>
    </table>
  </div>`;
}

function renderEntry(frame: Frame, account: AccountReport, plans: Plans): Html {
  const { id, email, isDisabled, isOperator, hasAdditionalUnits, openBrowsers, createdAt } = account;
  const overrides = toOverrides(account);
  return html`<tr>
    <th scope="row">
      <a href="${frame.to(`/operator/accounts/${id}`)}">${email}</a>
      ${isOperator ? html`<span class="badge">operator</span>` : ""}
      ${isDisabled ? html`<span class="badge bad">disabled</span>` : ""}
    </th>
    <td data-name="Plan">
      ${account.plan ?? "none"} ${overrides === "" ? "" : html`<span class="fine">${overrides}</span>`}
    </td>
    <td class="number" data-name="Units this month">
      ${renderUnits(account, plans)} ${hasAdditionalUnits ? html`<span class="badge busy">additional on</span>` : ""}
    </td>
    <td class="number" data-name="Open">${openBrowsers}</td>
    <td data-name="Created">${renderMoment(createdAt)}</td>
  </tr>`;
}

/** What the account has in place of its plan's. */
function toOverrides({ parallel, units }: Account): string {
  const words = [
    ...(parallel === undefined ? [] : [`${parallel} in parallel`]),
    ...(units === undefined ? [] : [toCount(units, "unit")]),
  ];
  return words.length === 0 ? "" : `with ${words.join(", ")}`;
}
