import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import { renderFaults, toFaults } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { renderSettingsField, type SettingsFaults } from "./settings-field.ts";

/** Another password, for who knows the present one. */
export function renderPassword(frame: Frame, { email }: Account, faults: SettingsFaults): Html {
  const fields = html`
    <input type="text" autocomplete="username" value="${email}" hidden />
    ${renderSettingsField({
      name: "current-password",
      label: "Present password",
      type: "password",
      autocomplete: "current-password",
      faults,
    })}
    ${renderSettingsField({
      name: "new-password",
      label: "New password",
      type: "password",
      autocomplete: "new-password",
      hint: "12 characters or more; a sentence is fine. Everybody who is signed in elsewhere is signed out.",
      faults,
    })}
    <div class="row"><button type="submit" class="primary">Change the password</button></div>
  `;
  return html`<section class="card" aria-labelledby="password">
    <h2 id="password">Password</h2>
    ${renderForm(frame, "/dashboard/settings/password", fields, { className: "stack" })}
  </section>`;
}

export function renderSessions(frame: Frame): Html {
  const button = html`<button type="submit">Sign out everywhere else</button>`;
  return html`<section class="card" aria-labelledby="sessions">
    <h2 id="sessions">Other browsers and devices</h2>
    <p>
      You stay signed in here. A session ends by itself after 7 days without a context, and after 30 days at the latest.
      Tokens that programs use go on: revoke them under <a href="${frame.to("/dashboard/tokens")}">Tokens</a>.
    </p>
    ${renderForm(frame, "/dashboard/settings/sessions", button)}
  </section>`;
}

/** The end of the account; asks twice. */
export function renderDelete(
  frame: Frame,
  { faults, isLastOperator, enteredEmail }: { faults: SettingsFaults; isLastOperator: boolean; enteredEmail: string },
): Html {
  const isWrong = faults["delete-email"] !== undefined || faults["delete-password"] !== undefined;
  const fields = html`
    <p class="notice bad">
      There is no way back: open browsers end, tokens stop working, and the e-mail address, the password, the provider's
      key and the labels of browsers are erased. Only the count of units stays.
    </p>
    ${renderSettingsField({
      name: "delete-email",
      label: "The account's e-mail address, to be sure",
      type: "text",
      autocomplete: "off",
      value: enteredEmail,
      faults,
    })}
    ${renderSettingsField({
      name: "delete-password",
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      faults,
    })}
    <div class="row"><button type="submit" class="danger">Delete the account</button></div>
  `;
  const form = renderForm(frame, "/dashboard/settings/delete", fields, { className: "stack" });
  return html`<section class="card" aria-labelledby="delete">
    <h2 id="delete">Delete the account</h2>
    ${
      isLastOperator
        ? html`<p>
              This is the last operator's account, so it can't be deleted: nobody could look after the others. Give the
              rights to another first.
            </p>
            ${renderFaults("delete", toFaults(faults["delete-email"]))}`
        : html`<details ${isWrong ? "open" : ""}>
            <summary>Delete this account…</summary>
            ${form}
          </details>`
    }
  </section>`;
}
