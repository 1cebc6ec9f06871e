import { html } from "hono/html";
import type { Plans } from "../../../domain/account/plan.ts";
import type { AccountReport } from "../../../services/accounts/accounts.ts";
import { renderUnits } from "./account-units.ts";
import {
  type DoneWords,
  renderDone,
  renderField,
  renderPlanOptions,
  renderQuestion,
  toFaults,
} from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderMoment } from "../../kit/format.ts";
import type { TermsEntered } from "./operator-terms.ts";

const DONE: DoneWords = new Map([
  ["terms", "The change counts from now on."],
  ["disabled", "The account is disabled: its browsers end, its tokens and sign-ins have stopped."],
  ["enabled", "The account is enabled: its tokens work again, and its owner can sign in."],
  ["given", "The account has an operator's rights."],
  ["taken", "The account has no operator's rights any more."],
]);

export type ShownAccount = {
  readonly account: AccountReport;
  /** Whether it is the one who looks. */
  readonly isOwn: boolean;
  readonly plans: Plans;
  /** The word after a form. */
  readonly done: string | undefined;
  readonly entered: TermsEntered;
};

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
        : html`<p class="notice bad" role="alert">Nothing was changed: something in the form is not right.</p>`
    }
    ${renderFacts(shown)} ${renderTerms(frame, shown)} ${renderSecrets(frame, shown)} ${renderAccess(frame, shown)}`;
}

function renderFacts({ account, plans }: ShownAccount): Html {
  return html`<section class="card">
    <h2>Now</h2>
    <dl class="facts">
      <dt>Units this month</dt>
      <dd>${renderUnits(account, plans)}</dd>
      <dt>Open browsers</dt>
      <dd>${account.openBrowsers}</dd>
      <dt>Created</dt>
      <dd>${renderMoment(account.createdAt)}</dd>
      <dt>Id</dt>
      <dd><code>${account.id}</code></dd>
    </dl>
  </section>`;
}

function renderTerms(frame: Frame, shown: ShownAccount): Html {
  const { account, plans, entered } = shown;
  const fields = html`${renderField({
      name: "plan",
      label: "Plan",
      faults: toFaults(entered.faults.get("plan")),
      control: (marks) =>
        html`<select ${marks}>
          ${renderPlanOptions([...plans.keys()], toChosen(shown))}
        </select>`,
    })}
    ${renderCount(entered, "parallel", "Browsers in parallel", 1)} ${renderCount(entered, "units", "Units a month", 0)}
    <div class="check">
      <input id="additional" name="additional" type="checkbox" ${entered.hasAdditionalUnits ? "checked" : ""} />
      <label for="additional">Additional units: browsers can be opened past the units of the month</label>
    </div>
    <button type="submit" class="primary">Save</button>`;
  return html`<section class="card">
    <h2>Plan</h2>
    ${renderForm(frame, `/operator/accounts/${account.id}/terms`, fields, { className: "stack terms" })}
  </section>`;
}

/** The plan that was entered, if it is one of the list; the account's own may be among them no more. */
function toChosen({ account, plans, entered: { plan } }: ShownAccount): string {
  return plan === "none" || plans.has(plan) ? plan : (account.plan ?? "none");
}

function renderCount({ faults, ...entered }: TermsEntered, name: "parallel" | "units", label: string, min: number) {
  return renderField({
    name,
    label,
    hint: `A whole number from ${min}, in place of the plan's; empty: the plan's own.`,
    faults: toFaults(faults.get(name)),
    control: (marks) => html`<input ${marks} inputmode="numeric" autocomplete="off" value="${entered[name]}" />`,
  });
}

function renderSecrets(frame: Frame, { account: { id, email }, isOwn }: ShownAccount): Html {
  const token = renderQuestion(frame, {
    ask: "New token…",
    text: `All tokens of ${email} stop working at once, and one new one is shown.`,
    act: "Make a new token",
    path: `/operator/accounts/${id}/token`,
  });
  const password = renderQuestion(frame, {
    ask: "Reset password…",
    text: `${email} is signed out everywhere and gets a new random password, which is shown once.`,
    act: "Reset the password",
    path: `/operator/accounts/${id}/password`,
  });
  const own = html`<p>
    Your own password you change in the <a href="${frame.to("/dashboard/settings")}">settings</a>.
  </p>`;
  return html`<section class="card">
    <h2>Password and tokens</h2>
    ${isOwn ? own : password} ${token}
  </section>`;
}

function renderAccess(frame: Frame, { account, isOwn }: ShownAccount): Html {
  const { id, email, isDisabled, isOperator } = account;
  if (isOwn) {
    return html`<section class="card">
      <h2>Access</h2>
      <p>This is your own account: another operator can disable it, or take its rights.</p>
    </section>`;
  }
  const disable = {
    ask: "Disable…",
    text: `The browsers of ${email} end, its tokens and sign-ins stop. Nothing is deleted.`,
    act: "Disable the account",
    path: `/operator/accounts/${id}/disable`,
  };
  const enable = {
    ask: "Enable…",
    text: `The tokens of ${email} work again, and its owner can sign in.`,
    act: "Enable the account",
    path: `/operator/accounts/${id}/enable`,
  };
  const give = {
    ask: "Give operator's rights…",
    text: `${email} may then do all that you do here: with every account, yours too.`,
    act: "Give the rights",
    path: `/operator/accounts/${id}/give-rights`,
  };
  const take = {
    ask: "Take operator's rights…",
    text: `This page is gone for ${email}. Its browsers and tokens stay as they are.`,
    act: "Take the rights",
    path: `/operator/accounts/${id}/take-rights`,
  };
  return html`<section class="card">
    <h2>Access</h2>
    ${renderQuestion(frame, isDisabled ? enable : disable)} ${renderQuestion(frame, isOperator ? take : give)}
  </section>`;
}
