import { html } from "hono/html";
import { type Account, toSubscription } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/plan/plan.ts";
import type { AccountReport } from "../../../ports/store/account-store.ts";
import type { AccountPage } from "../../../services/operators/operators.ts";
import { renderPaging, renderTable } from "../../kit/components.ts";
import { renderMoment, toCount, toNumber } from "../../kit/format.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { withQuery } from "../../kit/paths.ts";

export type AccountList = {
  readonly page: AccountPage;
  readonly search: string;
  readonly isFirstPage: boolean;
  readonly plans: Plans;
};

export function renderAccounts(frame: Frame, list: AccountList): Html {
  const { page, search, isFirstPage } = list;
  const toUrl = (behind?: string): string =>
    frame.to(`${withQuery("/operator", { search: search || undefined, behind })}#accounts`);
  return html`<div class="row spread">
      <h2 id="accounts">Accounts</h2>
      <span class="row">
        <a href="${frame.to("/operator/audit")}">Audit log</a>
        <a class="button" href="${frame.to("/operator/accounts/new")}">New account</a>
      </span>
    </div>
    <form method="get" action="${frame.to("/operator")}#accounts" role="search" class="row find">
      <label for="search">Email or ID</label>
      <input id="search" name="search" type="search" maxlength="254" value="${search}" />
      <button type="submit">Search</button>
      ${search === "" ? "" : html`<a href="${frame.to("/operator")}#accounts">All accounts</a>`}
    </form>
    ${page.accounts.length === 0 ? renderNone(search, isFirstPage) : renderList(frame, list)}
    ${renderPaging("Account pages", { isFirst: isFirstPage, next: page.next, toUrl })}`;
}

function renderNone(search: string, isFirstPage: boolean): Html {
  if (!isFirstPage) return html`<p class="card empty">No more accounts.</p>`;
  return html`<p class="card empty">
    No account matches ${JSON.stringify(search)}. Search for part of an email address or for an account ID.
  </p>`;
}

function renderList(frame: Frame, { page, plans }: AccountList): Html {
  return renderTable({
    region: html`role="region" aria-labelledby="accounts" tabindex="0"`,
    columns: { Email: "", Plan: "", "Units this month": "number", "Open browsers": "number", Created: "" },
    rows: page.accounts.map((account) => renderRow(frame, account, plans)),
  });
}

function renderRow(frame: Frame, account: AccountReport, plans: Plans): Html {
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
      ${renderUnits(account, plans)}
      ${hasAdditionalUnits ? html`<span class="badge busy">additional units on</span>` : ""}
    </td>
    <td class="number" data-name="Open browsers">${openBrowsers}</td>
    <td data-name="Created">${renderMoment(createdAt)}</td>
  </tr>`;
}

/** Renders the units used this month, with their limit. */
export function renderUnits(account: AccountReport, plans: Plans): Html {
  const subscription = toSubscription(account, plans);
  if (subscription === undefined) return html`${toNumber(account.unitsUsed)}`;
  const limit = subscription.unitsPerMonth;
  return html`${toNumber(account.unitsUsed)}${limit === undefined ? ", unlimited" : ` of ${toNumber(limit)}`}`;
}

/** Describes the account's own limits, which override the plan's. */
function toOverrides({ parallel, units }: Account): string {
  const words = [
    ...(parallel === undefined ? [] : [toCount(parallel, "parallel browser")]),
    ...(units === undefined ? [] : [toCount(units, "unit")]),
  ];
  return words.length === 0 ? "" : `with ${words.join(", ")}`;
}
