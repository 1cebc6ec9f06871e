import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Subscription } from "../../../services/accounts/subscriptions.ts";
import { type DoneWords, renderDone } from "../../kit/components.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import {
  renderDelete,
  renderPassword,
  renderProviderKey,
  renderSessions,
  type SettingsFaults,
} from "./settings-account-view.ts";
import { renderAdditionalUnits, renderPlan } from "./settings-plan-view.ts";

/** The account's current settings. */
type SettingsState = {
  readonly subscription: Subscription;
  readonly hasOwnKey: boolean;
  readonly hasDeploymentsKey: boolean;
  readonly isLastOperator: boolean;
};

/** The result of the submitted form. */
export type SettingsOutcome = {
  readonly done?: string | undefined;
  readonly faults?: SettingsFaults;
  readonly enteredEmail?: string;
};

const DONE: DoneWords = new Map([
  ["plan", "Plan saved. It applies when you open your next browser."],
  ["no-plan", "Your account no longer has a plan, so you can't open browsers (Open returns 402)."],
  ["additional-on", "Additional units are on."],
  ["additional-off", "Additional units are off."],
  ["key", "Your provider key is set. It takes precedence over the deployment's key and won't be shown again."],
  ["no-key", "Your provider key was removed."],
  ["password", "Password changed. All other browsers and devices have been signed out."],
  ["sessions", "All other browsers and devices have been signed out."],
]);

export function renderSettings(
  frame: Frame,
  account: Account,
  state: SettingsState,
  { done, faults = {}, enteredEmail = "" }: SettingsOutcome,
): Html {
  return html`<h1>Settings</h1>
    ${renderDone(DONE, done)} ${renderPlan(frame, account, state.subscription, faults.plan)}
    ${renderAdditionalUnits(frame, account, state.subscription)} ${renderProviderKey(frame, state, faults)}
    ${renderPassword(frame, account, faults)} ${renderSessions(frame)}
    ${renderDelete(frame, { faults, isLastOperator: state.isLastOperator, enteredEmail })}`;
}
