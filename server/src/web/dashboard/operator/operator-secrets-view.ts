import { html } from "hono/html";
import type { Frame, Html } from "../../kit/layout.ts";
import { renderSecret } from "../../kit/components.ts";

export type NewSecret = {
  /** Of the account. */
  readonly id: string;
  readonly email: string;
  readonly title: string;
  readonly password?: string;
  readonly token?: string;
  /** Of a new account: what its owner has to be told beside them. */
  readonly signIn?: { readonly url: string; readonly plan: string | undefined };
};

/** What an account gets in with, shown this once. */
export function renderNewSecret(frame: Frame, { id, email, title, password, token, signIn }: NewSecret): Html {
  return html`<section class="card">
    <h1>${title}</h1>
    <p>
      For <a href="${frame.to(`/operator/accounts/${id}`)}">${email}</a>. What follows is shown this once: hand it over
      by a way that you trust.
    </p>
    ${signIn === undefined ? "" : renderSignIn(signIn)}
    ${password === undefined ? "" : renderSecret("password", "Password", password)}
    ${token === undefined ? "" : renderSecret("token", "Token", token)}
    <p><a class="button" href="${frame.to("/operator")}">Done</a></p>
  </section>`;
}

function renderSignIn({ url, plan }: NonNullable<NewSecret["signIn"]>): Html {
  return html`<dl class="facts">
      <dt>Plan</dt>
      <dd>${plan ?? "none"}</dd>
      <dt>Sign in at</dt>
      <dd><a href="${url}">${url}</a></dd>
    </dl>
    ${plan === undefined ? html`<p class="notice busy">Without a plan it can't open browsers yet.</p>` : ""}`;
}
