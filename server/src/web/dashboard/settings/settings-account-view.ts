import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import { renderFaults, renderField } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";

type FieldName = "plan" | "provider-key" | "current-password" | "new-password" | "delete-email" | "delete-password";

/** Error messages by field. */
export type SettingsFaults = { readonly [Name in FieldName]?: string };

type SettingsField = {
  readonly name: FieldName;
  readonly label: string;
  /** Default: `password`. */
  readonly type?: "text";
  readonly autocomplete: string;
  readonly value?: string;
  readonly hint?: string;
  readonly faults: SettingsFaults;
};

export function renderProviderKey(
  frame: Frame,
  { hasOwnKey, hasDeploymentsKey }: { readonly hasOwnKey: boolean; readonly hasDeploymentsKey: boolean },
  faults: SettingsFaults,
): Html {
  const fields = html`${renderTextField({
      name: "provider-key",
      label: hasOwnKey ? "New key" : "Key",
      autocomplete: "off",
      hint: "Stored encrypted and used only for your queries. It won't be shown again.",
      faults,
    })}
    <div class="row">
      <button type="submit" class="primary">${hasOwnKey ? "Replace key" : "Set key"}</button>
    </div>`;
  const removal = html`<p>
      ${
        hasDeploymentsKey
          ? "Your queries will use this deployment's key."
          : "Your queries will fail (503) until you set another key."
      }
    </p>
    <div class="row"><button type="submit" class="danger">Remove key</button></div>`;
  return html`<section class="card" aria-labelledby="provider-key-title">
    <h2 id="provider-key-title" class="row">
      Provider key for AI Query
      <span class="badge ${hasOwnKey ? "good" : ""}">${hasOwnKey ? "own key set" : "not set"}</span>
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
  if (hasOwnKey) return "Your queries use your own key for the language-model provider.";
  return hasDeploymentsKey
    ? "Your queries use this deployment's key. You can set your own key instead."
    : "Your plan doesn't include a key. Your queries fail (503) until you set your own key.";
}

export function renderPassword(frame: Frame, { email }: Account, faults: SettingsFaults): Html {
  const fields = html`
    <input type="text" autocomplete="username" value="${email}" hidden />
    ${renderTextField({
      name: "current-password",
      label: "Current password",
      autocomplete: "current-password",
      faults,
    })}
    ${renderTextField({
      name: "new-password",
      label: "New password",
      autocomplete: "new-password",
      hint: "At least 12 characters. A sentence works well. Changing the password signs out all other browsers and devices.",
      faults,
    })}
    <div class="row"><button type="submit" class="primary">Change password</button></div>
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
      Signing out everywhere else doesn't sign you out of this browser. A session ends after 7 days without activity,
      and after 30 days at the latest. Tokens keep working. You can revoke them under
      <a href="${frame.to("/dashboard/tokens")}">Tokens</a>.
    </p>
    ${renderForm(frame, "/dashboard/settings/sessions", button)}
  </section>`;
}

export function renderDelete(
  frame: Frame,
  { faults, isLastOperator, enteredEmail }: { faults: SettingsFaults; isLastOperator: boolean; enteredEmail: string },
): Html {
  const isWrong = faults["delete-email"] !== undefined || faults["delete-password"] !== undefined;
  const fields = html`
    <p class="notice bad">
      You can't undo this. Your open browsers close and your tokens stop working. Your email address, password, provider
      key and browser labels are erased. Records of your browsers and units are kept, without personal data.
    </p>
    ${renderTextField({
      name: "delete-email",
      label: "To confirm, enter your email address",
      type: "text",
      autocomplete: "off",
      value: enteredEmail,
      faults,
    })}
    ${renderTextField({
      name: "delete-password",
      label: "Password",
      autocomplete: "current-password",
      faults,
    })}
    <div class="row"><button type="submit" class="danger">Delete account</button></div>
  `;
  const form = renderForm(frame, "/dashboard/settings/delete", fields, { className: "stack" });
  return html`<section class="card" aria-labelledby="delete">
    <h2 id="delete">Delete account</h2>
    ${
      isLastOperator
        ? html`<p>
              You can't delete this account because it is the last operator account that can sign in. Make another
              account an operator first.
            </p>
            ${renderFaults("delete", faults["delete-email"])}`
        : html`<details ${isWrong ? "open" : ""}>
            <summary>Delete this account…</summary>
            ${form}
          </details>`
    }
  </section>`;
}

function renderTextField({ name, label, type, autocomplete, value, hint, faults }: SettingsField): Html {
  return renderField({
    name,
    label,
    hint,
    faults: faults[name],
    control: html`type="${type ?? "password"}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"
    required ${value === undefined ? "" : html`value="${value}"`}`,
  });
}
