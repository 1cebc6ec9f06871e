import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import type { Subscription } from "../../../services/accounts/subscriptions.ts";
import { toMegabytes } from "../../../domain/machine/bounds.ts";
import { MINUTE_MS } from "../../../domain/durations.ts";
import { toCount, toNumber } from "../../kit/format.ts";
import { renderFaults } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";

const NO_PLAN =
  "You can't open browsers until you choose a plan again (Open returns 402). Browsers that are already open stay open.";

export function renderPlan(
  frame: Frame,
  account: Account,
  subscription: Subscription,
  fault: string | undefined,
): Html {
  const { plan, isOperatorManaged } = subscription;
  return html`<section class="card" aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    ${plan === undefined ? renderNone(subscription) : renderNumbers(account, plan)}
    ${
      isOperatorManaged
        ? html`<p class="hint">
            Your operator manages the plan and the limits of this account. Ask your operator to change them.
          </p>`
        : renderChoice(frame, subscription, account.plan)
    }
    ${renderFaults("plan", fault)}
  </section>`;
}

export function renderAdditionalUnits(frame: Frame, account: Account, subscription: Subscription): Html {
  const { plan, period, unitsUsed, additionalUnits } = subscription;
  const isOn = account.hasAdditionalUnits;
  const limit = plan?.unitsPerMonth;
  const turn = html`<input type="hidden" name="additional-units" value="${isOn ? "off" : "on"}" />
    <button type="submit">${isOn ? "Turn off additional units" : "Turn on additional units"}</button>`;
  return html`<section class="card" aria-labelledby="additional-units">
    <h2 id="additional-units" class="row">
      Additional units <span class="badge ${isOn ? "good" : ""}">${isOn ? "on" : "off"}</span>
    </h2>
    <p>
      ${
        isOn
          ? "You can keep opening browsers when you have used all of your plan's units. The server records the additional units."
          : "When you have used all of your plan's units, you can't open browsers until the next month starts in UTC (Open returns 403). If you turn on additional units, you can keep opening browsers, and the server records the additional units."
      }
      Browsers that are already open stay open when units run out.
    </p>
    <p>
      Units used in ${period} (UTC): ${toNumber(unitsUsed)}${limit === undefined ? "" : ` of ${toNumber(limit)}`},
      including
      <strong>${toNumber(additionalUnits)} additional</strong>.
    </p>
    ${renderForm(frame, "/dashboard/settings/additional-units", turn)}
  </section>`;
}

function renderNone({ offered, isOperatorManaged }: Subscription): Html {
  const until = isOperatorManaged || offered.length === 0 ? "your operator assigns a plan" : "you choose a plan";
  return html`<p class="notice busy">
    This account has no plan. You can't open browsers until ${until} (Open returns 402).
  </p>`;
}

function renderNumbers(account: Account, plan: Plan): Html {
  const own = html` <span class="badge">set for this account</span>`;
  return html`<p>Your plan is <strong>${plan.name}</strong>.</p>
    <dl class="facts">
      <div>
        <dt>Parallel browsers</dt>
        <dd>${toParallel(plan)}${account.parallel === undefined ? "" : own}</dd>
      </div>
      <div>
        <dt>Units per month (UTC)</dt>
        <dd>${toUnits(plan)}${account.units === undefined ? "" : own}</dd>
      </div>
      <div>
        <dt>Maximum browser lifetime</dt>
        <dd>${toLifetime(plan)}</dd>
      </div>
    </dl>`;
}

function renderChoice(frame: Frame, { offered }: Subscription, chosen: string | undefined): Html {
  if (offered.length === 0) {
    return html`<p class="hint">You can't choose a plan yourself. Your operator assigns plans.</p>`;
  }
  const fields = html`<fieldset class="choices">
      <legend>Choose a plan</legend>
      ${offered.map((plan) => renderOption(plan.name, toNumbers(plan), plan.name === chosen))}
      ${chosen === undefined ? "" : renderOption(undefined, NO_PLAN, false)}
    </fieldset>
    <div class="row"><button type="submit" class="primary">Save plan</button></div>`;
  return renderForm(frame, "/dashboard/settings/plan", fields, { className: "stack" });
}

/** @param plan Undefined for the “No plan” option. */
function renderOption(plan: string | undefined, about: string, isChosen: boolean): Html {
  const id = `plan-${plan ?? "none"}`;
  return html`<div class="choice">
    <input
      type="radio"
      name="plan"
      id="${id}"
      value="${plan ?? ""}"
      required
      aria-describedby="${id}-about"
      ${isChosen ? "checked" : ""}
    />
    <label for="${id}">${plan ?? "No plan"}</label>
    <p class="hint" id="${id}-about">${about}</p>
  </div>`;
}

function toNumbers(plan: Plan): string {
  const memory = plan.memoryBytes === undefined ? "" : ` Memory per browser: ${toMegabytes(plan.memoryBytes)}.`;
  return `Parallel browsers: ${toParallel(plan)}. Units per month: ${toUnits(plan)}. Maximum lifetime: ${toLifetime(plan)}.${memory}`;
}

function toParallel({ parallel }: Plan): string {
  return parallel?.toLocaleString("en") ?? "as many as the machine can run";
}

function toUnits({ unitsPerMonth }: Plan): string {
  return unitsPerMonth?.toLocaleString("en") ?? "unlimited";
}

function toLifetime({ maxLifetimeMs }: Plan): string {
  if (maxLifetimeMs === undefined) return "unlimited";
  return toCount(maxLifetimeMs / MINUTE_MS, "minute");
}
