import { html } from "hono/html";
import type { Account } from "../../../domain/account/account.ts";
import type { Frame, Html, Page } from "../../kit/layout.ts";
import { renderSecret } from "../../kit/components.ts";

type NewSecret = {
  readonly title: string;
  readonly password?: string;
  readonly token?: string;
  /** Sign-in information for a new account's user; undefined for an existing account. */
  readonly signIn?: { readonly url: string; readonly plan: string | undefined };
};

/** Returns the page with an account's new secrets, which can't be shown again. */
export function toSecretPage(
  frame: Frame,
  { id, email }: Pick<Account, "id" | "email">,
  { title, password, token, signIn }: NewSecret,
): Page {
  const main = html`<section class="card">
    <h1>${title}</h1>
    <p>
      For <a href="${frame.to(`/operator/accounts/${id}`)}">${email}</a>. This is shown only once. Copy it now and send
      it to the user over a secure channel.
    </p>
    ${signIn === undefined ? "" : renderSignIn(signIn)}
    ${password === undefined ? "" : renderSecret("password", "Password", password)}
    ${token === undefined ? "" : renderSecret("token", "Token", token)}
    <p><a class="button" href="${frame.to("/operator")}">Done</a></p>
  </section>`;
  return { title, current: "/operator", main, styles: ["dashboard/operator/operator.css"] };
}

function renderSignIn({ url, plan }: NonNullable<NewSecret["signIn"]>): Html {
  return html`<dl class="facts">
      <dt>Plan</dt>
      <dd>${plan ?? "none"}</dd>
      <dt>Sign in at</dt>
      <dd><a href="${url}">${url}</a></dd>
    </dl>
    ${plan === undefined ? html`<p class="notice busy">This account can't open browsers until you assign a plan.</p>` : ""}`;
}
