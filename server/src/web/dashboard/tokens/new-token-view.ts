import { html } from "hono/html";
import { renderCodeBlock } from "../../kit/components.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import { toShellWord } from "../../kit/format.ts";

export type NewTokenShown = {
  readonly token: string;
  /** What is different now. */
  readonly lead: string;
  /** Of the API. */
  readonly url: string;
};

/** The one page that a token ever stands on. */
export function renderNewToken(frame: Frame, { token, lead, url }: NewTokenShown): Html {
  const lines = [
    `export RBS_TOKEN=${toShellWord(token)}`,
    `curl ${toShellWord(`${url}/api/v1/Browser/Get`)} -H "Authorization: Bearer $RBS_TOKEN"`,
  ].join("\n");
  return html`<h1>Your new token</h1>
    <p class="lead">${lead}</p>
    <section class="card" aria-labelledby="copy-it" data-leave-for="${frame.to("/dashboard/tokens")}">
      <h2 id="copy-it">Copy it now</h2>
      <p class="notice busy">
        It is not shown again, here or anywhere: the server keeps only what it recognises it by.
      </p>
      <div class="copied">
        <code class="secret" id="token">${token}</code>
        <button type="button" class="primary" data-copy="${token}">Copy<span class="unseen"> the token</span></button>
      </div>
    </section>
    <section class="card" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      ${renderCodeBlock({ id: "try", title: "In a shell", text: lines })}
      <p class="hint">This lists your open browsers: <code>"sessions":[]</code> means that there is none yet.</p>
    </section>
    <p class="actions">
      <a class="button" href="${frame.to("/dashboard/quick-start")}">Quick start: open a browser with it</a>
      <a class="button" href="${frame.to("/dashboard/tokens")}">All tokens</a>
    </p>`;
}
