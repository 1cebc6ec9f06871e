import { html } from "hono/html";
import type { Plans } from "../../../domain/plan/plan.ts";
import type { AccountReport } from "../../../ports/store/account-store.ts";
import { type DoneWords, renderDone, renderField, renderPlanOptions, renderQuestion } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment } from "../../kit/format.ts";
import type { ActPage } from "../../../services/operators/operators.ts";
import { renderActs, toActsPath } from "./operator-acts.ts";
import { renderUnits } from "./operator-accounts-view.ts";
import type { TermsEntered } from "./operator-terms.ts";

const DONE: DoneWords = new Map([
  ["terms", "Changes saved. They apply immediately."],
  [
    "disabled",
    "Account disabled. Its browsers have been closed, its tokens no longer work, and the user has been signed out.",
  ],
  ["enabled", "Account enabled. Its tokens work again, and the user can sign in."],
  ["given", "This account is now an operator."],
  ["taken", "This account is no longer an operator."],
]);

type ShownAccount = {
  readonly account: AccountReport;
  /** Whether this is the signed-in operator's own account. */
  readonly isOwn: boolean;
  readonly plans: Plans;
  /** The last form submission's result, from the URL. */
  readonly done: string | undefined;
  readonly entered: TermsEntered;
  /** The action that was rejected because of the operator's password, and the reason. */
  readonly refused: Refused | undefined;
  /** The account's recent audit log entries. */
  readonly acts: ActPage;
};

/** Actions that require the operator's own password, because they change rights or give access to an account. */
type ConfirmedAction = "give-rights" | "take-rights" | "password" | "token";

export type Refused = { readonly action: ConfirmedAction; readonly fault: string };

export function renderAccount(frame: Frame, shown: ShownAccount): Html {
  const { account, done, entered } = shown;
  const { email, isOperator, isDisabled } = account;
  return html`<p><a href="${frame.to("/operator")}">All accounts</a></p>
    <h1>${email}</h1>
    ${
      isOperator || isDisabled
        ? html`<p class="row">
            ${isOperator ? html`<span class="badge">operator</span>` : ""}
            ${isDisabled ? html`<span class="badge bad">disabled</span>` : ""}
          </p>`
        : ""
    }
    ${renderDone(DONE, done)}
    ${
      entered.faults.size === 0
        ? ""
        : html`<p class="notice bad" role="alert">Nothing was changed. Check the fields below.</p>`
    }
    ${renderFacts(shown)} ${renderTerms(frame, shown)} ${renderSecrets(frame, shown)} ${renderAccess(frame, shown)}
    ${renderLatestActs(frame, shown)}`;
}

function renderLatestActs(frame: Frame, { account, acts }: ShownAccount): Html {
  return html`<h2 id="acts">Audit log</h2>
    ${renderActs(frame, acts, account.id)}
    ${acts.next === undefined ? "" : html`<p><a href="${frame.to(toActsPath(account.id))}">All entries</a></p>`}`;
}

function renderFacts({ account, plans }: ShownAccount): Html {
  return html`<section class="card">
    <h2>Overview</h2>
    <dl class="facts">
      <dt>Units this month</dt>
      <dd>${renderUnits(account, plans)}</dd>
      <dt>Open browsers</dt>
      <dd>${account.openBrowsers}</dd>
      <dt>Created</dt>
      <dd>${renderMoment(account.createdAt)}</dd>
      <dt>ID</dt>
      <dd><code>${account.id}</code></dd>
    </dl>
  </section>`;
}

function renderTerms(frame: Frame, shown: ShownAccount): Html {
  const { account, plans, entered } = shown;
  const fields = html`${renderField({
      name: "plan",
      label: "Plan",
      faults: entered.faults.get("plan"),
      control: (marks) =>
        html`<select ${marks}>
          ${renderPlanOptions([...plans.keys()], toChosen(shown))}
        </select>`,
    })}
    ${renderCount(entered, "parallel", "Parallel browsers", 1)} ${renderCount(entered, "units", "Units per month", 0)}
    <div class="check">
      <input id="additional" name="additional" type="checkbox" ${entered.hasAdditionalUnits ? "checked" : ""} />
      <label for="additional">Additional units: allow opening browsers after the plan's units are used up</label>
    </div>
    <button type="submit" class="primary">Save</button>`;
  return html`<section class="card">
    <h2>Plan</h2>
    ${renderForm(frame, `/operator/accounts/${account.id}/terms`, fields, { className: "stack terms" })}
  </section>`;
}

/** Returns the entered plan if it is offered; otherwise the account's plan, which may no longer be offered. */
function toChosen({ account, plans, entered: { plan } }: ShownAccount): string {
  return plan === "none" || plans.has(plan) ? plan : (account.plan ?? "none");
}

function renderCount({ faults, ...entered }: TermsEntered, name: "parallel" | "units", label: string, min: number) {
  return renderField({
    name,
    label,
    hint: `A whole number, ${min} or more. Leave it empty to use the plan's limit.`,
    faults: faults.get(name),
    control: html`inputmode="numeric" autocomplete="off" value="${entered[name]}"`,
  });
}

/** Returns the properties of a question that requires the operator's password. */
function confirmed(action: ConfirmedAction, { account: { id }, refused }: ShownAccount) {
  const fault = refused?.action === action ? refused.fault : undefined;
  return { path: `/operator/accounts/${id}/${action}`, password: { fault } };
}

function renderSecrets(frame: Frame, shown: ShownAccount): Html {
  const {
    account: { email },
    isOwn,
  } = shown;
  const token = renderQuestion(frame, {
    ask: "New token…",
    text: `All of this account's tokens stop working immediately. The new token is shown once.`,
    act: "Create new token",
    ...confirmed("token", shown),
  });
  const password = renderQuestion(frame, {
    ask: "Reset password…",
    text: `${email} is signed out everywhere and receives a new random password, which is shown once.`,
    act: "Reset password",
    ...confirmed("password", shown),
  });
  const own = html`<p>Change your own password in the <a href="${frame.to("/dashboard/settings")}">settings</a>.</p>`;
  return html`<section class="card">
    <h2>Password and tokens</h2>
    ${isOwn ? own : password} ${token}
  </section>`;
}

function renderAccess(frame: Frame, shown: ShownAccount): Html {
  const { account, isOwn } = shown;
  const { id, email, isDisabled, isOperator } = account;
  if (isOwn) {
    return html`<section class="card">
      <h2>Access</h2>
      <p>This is your own account. Only another operator can disable it or remove its operator rights.</p>
    </section>`;
  }
  const disable = {
    ask: "Disable…",
    text: `This account's browsers close, its tokens stop working, and the user is signed out. Nothing is deleted.`,
    act: "Disable account",
    path: `/operator/accounts/${id}/disable`,
  };
  const enable = {
    ask: "Enable…",
    text: `This account's tokens work again, and the user can sign in.`,
    act: "Enable account",
    path: `/operator/accounts/${id}/enable`,
  };
  const give = {
    ask: "Make operator…",
    text: `${email} can then do everything you can do here, with every account, including yours.`,
    act: "Make operator",
    ...confirmed("give-rights", shown),
  };
  const take = {
    ask: "Remove operator rights…",
    text: `${email} can no longer open this page. The account's browsers and tokens don't change.`,
    act: "Remove operator rights",
    ...confirmed("take-rights", shown),
  };
  return html`<section class="card">
    <h2>Access</h2>
    ${renderQuestion(frame, isDisabled ? enable : disable)} ${renderQuestion(frame, isOperator ? take : give)}
  </section>`;
}
