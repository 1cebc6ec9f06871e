import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Plan } from "../../../domain/account/plan.ts";
import type { Subscription } from "../../../services/accounts/subscriptions.ts";
import { toNumber } from "../../kit/format.ts";
import { renderFaults, toFaults } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";

const MINUTE_MS = 60_000;

/** What the account may use, and the choice among what anybody may. */
export function renderPlan(
  frame: Frame,
  account: Account,
  subscription: Subscription,
  fault: string | undefined,
): Html {
  const { plan, isOperators } = subscription;
  return html`<section class="card" aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    ${plan === undefined ? renderNone(subscription) : renderNumbers(account, plan)}
    ${isOperators ? renderAssigned() : renderChoice(frame, subscription, account.plan)}
    ${renderFaults("plan", toFaults(fault))}
  </section>`;
}

/** Going on past the plan's units, and what that has come to. */
export function renderAdditionalUnits(frame: Frame, account: Account, subscription: Subscription): Html {
  const { plan, period, unitsUsed, additionalUnits } = subscription;
  const isOn = account.hasAdditionalUnits;
  const limit = plan?.unitsPerMonth;
  const turn = html`<input type="hidden" name="additional-units" value="${isOn ? "off" : "on"}" />
    <button type="submit">${isOn ? "Turn additional units off" : "Turn additional units on"}</button>`;
  return html`<section class="card" aria-labelledby="additional-units">
    <h2 id="additional-units" class="row">
      Additional units <span class="badge ${isOn ? "good" : ""}">${isOn ? "on" : "off"}</span>
    </h2>
    <p>
      ${
        isOn
          ? "Browsers can be opened when all units of the plan are used, too; what comes on top is recorded as additional units."
          : "When all units of the plan are used, no browser can be opened (Open answers 403) until the next month begins (UTC). With additional units on it can, and what comes on top is recorded."
      }
      Browsers that are open are never cut off.
    </p>
    <p>
      Units used in ${period} (UTC): ${toNumber(unitsUsed)}${limit === undefined ? "" : ` of ${toNumber(limit)}`},
      <strong>${toNumber(additionalUnits)} of them additional</strong>.
    </p>
    ${renderForm(frame, "/dashboard/settings/additional-units", turn)}
  </section>`;
}

function renderNone({ offered, isOperators }: Subscription): Html {
  const what =
    isOperators || offered.length === 0 ? "until the operator of this server assigns one" : "until you choose one";
  return html`<p class="notice busy">
    This account has no plan: no browser can be opened (Open answers 402) ${what}.
  </p>`;
}

function renderNumbers(account: Account, plan: Plan): Html {
  const own = html` <span class="badge">set for this account</span>`;
  return html`<p>This account has the plan <strong>${plan.name}</strong>.</p>
    <dl class="facts">
      <div>
        <dt>Browsers at once</dt>
        <dd>${toParallel(plan)}${account.parallel === undefined ? "" : own}</dd>
      </div>
      <div>
        <dt>Units a month (UTC)</dt>
        <dd>${toUnits(plan)}${account.units === undefined ? "" : own}</dd>
      </div>
      <div>
        <dt>Longest life of a browser</dt>
        <dd>${toLifetime(plan)}</dd>
      </div>
    </dl>`;
}

function renderAssigned(): Html {
  return html`<p class="hint">
    The operator of this server has set this account's plan or limits, and changes them: ask there for others.
  </p>`;
}

function renderChoice(frame: Frame, { offered }: Subscription, chosen: string | undefined): Html {
  if (offered.length === 0) {
    return html`<p class="hint">
      There are no plans to choose by yourself: the operator of this server assigns them.
    </p>`;
  }
  const fields = html`<fieldset class="choices">
      <legend>Choose a plan</legend>
      ${offered.map((one) =>
        renderOption({ value: one.name, name: one.name, about: toNumbers(one), isChosen: one.name === chosen }),
      )}
      ${
        chosen === undefined
          ? ""
          : renderOption({
              value: "",
              name: "No plan",
              about: "No browser can be opened (Open answers 402) until you choose one again. What is open stays open.",
              isChosen: false,
            })
      }
    </fieldset>
    <div class="row"><button type="submit" class="primary">Save the plan</button></div>`;
  return renderForm(frame, "/dashboard/settings/plan", fields, { className: "stack" });
}

type Option = { readonly value: string; readonly name: string; readonly about: string; readonly isChosen: boolean };

function renderOption({ value, name, about, isChosen }: Option): Html {
  const id = `plan-${value === "" ? "none" : value}`;
  return html`<div class="choice">
    <input
      type="radio"
      name="plan"
      id="${id}"
      value="${value}"
      required
      aria-describedby="${id}-about"
      ${isChosen ? "checked" : ""}
    />
    <label for="${id}">${name}</label>
    <p class="hint" id="${id}-about">${about}</p>
  </div>`;
}

function toNumbers(plan: Plan): string {
  return `Browsers at once: ${toParallel(plan)}. Units a month: ${toUnits(plan)}. Longest life: ${toLifetime(plan)}.`;
}

function toParallel({ parallel }: Plan): string {
  return parallel?.toLocaleString("en") ?? "as many as the machine carries";
}

function toUnits({ unitsPerMonth }: Plan): string {
  return unitsPerMonth?.toLocaleString("en") ?? "without limit";
}

function toLifetime({ maxLifetimeMs }: Plan): string {
  if (maxLifetimeMs === undefined) return "without limit";
  const minutes = maxLifetimeMs / MINUTE_MS;
  return minutes === 1 ? "1 minute" : `${minutes.toLocaleString("en")} minutes`;
}
