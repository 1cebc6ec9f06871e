import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Subscription } from "../../../services/accounts/subscriptions.ts";
import { type DoneWords, renderDone } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderDelete, renderPassword, renderSessions } from "./settings-account-view.ts";
import { renderSettingsField, type SettingsFaults } from "./settings-field.ts";
import { renderAdditionalUnits, renderPlan } from "./settings-plan-view.ts";

/** How things stand with an account, before anything is changed. */
export type Standing = {
  readonly subscription: Subscription;
  /** The language-model provider's keys: the account's own, and the one for all. */
  readonly hasOwnKey: boolean;
  readonly hasDeploymentsKey: boolean;
  readonly isLastOperator: boolean;
};

/** What has just happened here, or failed. */
export type SettingsOutcome = {
  readonly done?: string | undefined;
  readonly faults?: SettingsFaults;
  readonly enteredEmail?: string;
};

const DONE: DoneWords = new Map([
  ["plan", "The plan is saved: it counts from the next Open on."],
  ["no-plan", "This account has no plan now: no browser can be opened (Open answers 402)."],
  ["additional-on", "Additional units are on."],
  ["additional-off", "Additional units are off."],
  ["key", "Your provider's key is set, and goes before the deployment's. It is not shown again."],
  ["no-key", "Your provider's key is removed."],
  ["password", "The password is changed, and everybody who was signed in elsewhere is signed out."],
  ["sessions", "Everybody who was signed in elsewhere is signed out."],
]);

/** All that an account's owner decides, each thing in a form of its own. */
export function renderSettings(
  frame: Frame,
  account: Account,
  standing: Standing,
  { done, faults = {}, enteredEmail = "" }: SettingsOutcome,
): Html {
  return html`<h1>Settings</h1>
    ${renderDone(DONE, done)} ${renderPlan(frame, account, standing.subscription, faults.plan)}
    ${renderAdditionalUnits(frame, account, standing.subscription)} ${renderProviderKey(frame, standing, faults)}
    ${renderPassword(frame, account, faults)} ${renderSessions(frame)}
    ${renderDelete(frame, { faults, isLastOperator: standing.isLastOperator, enteredEmail })}`;
}

function renderProviderKey(frame: Frame, { hasOwnKey, hasDeploymentsKey }: Standing, faults: SettingsFaults): Html {
  const fields = html`${renderSettingsField({
      name: "provider-key",
      label: hasOwnKey ? "Another key in its place" : "Key",
      type: "password",
      autocomplete: "off",
      hint: "Stored encrypted, used for your queries only, and never shown again.",
      faults,
    })}
    <div class="row">
      <button type="submit" class="primary">${hasOwnKey ? "Replace the key" : "Set the key"}</button>
    </div>`;
  const removal = html`<p>
      Your queries ${hasDeploymentsKey ? "use the deployment's key then." : "are refused then (503)."}
    </p>
    <div class="row"><button type="submit" class="danger">Remove the key</button></div>`;
  return html`<section class="card" aria-labelledby="provider-key-title">
    <h2 id="provider-key-title" class="row">
      Provider's key for AI Query
      <span class="badge ${hasOwnKey ? "good" : ""}">${hasOwnKey ? "your own is set" : "not set"}</span>
    </h2>
    <p>${toKeyState(hasOwnKey, hasDeploymentsKey)}</p>
    ${renderForm(frame, "/dashboard/settings/provider-key", fields, { className: "stack" })}
    ${
      hasOwnKey
        ? html`<details>
            <summary>Remove your key…</summary>
            ${renderForm(frame, "/dashboard/settings/provider-key/remove", removal, { className: "stack" })}
          </details>`
        : ""
    }
  </section>`;
}

function toKeyState(hasOwnKey: boolean, hasDeploymentsKey: boolean): string {
  if (hasOwnKey) return "Your queries are asked with your own key of the language model's provider.";
  return hasDeploymentsKey
    ? "Your queries are asked with this deployment's key. One of your own goes before it."
    : "This deployment has no key, so queries are refused (503) until you set one of your own.";
}
