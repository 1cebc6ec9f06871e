import { html } from "hono/html";
import type { Html } from "./layout.ts";

/** A secret that is shown this once. */
export function renderSecret(id: string, name: string, secret: string): Html {
  return html`<div class="field">
    <h2 id="${id}">${name}</h2>
    <div class="row">
      <code class="secret">${secret}</code>
      <button type="button" data-copy="${secret}">Copy <span class="unseen">the ${name.toLowerCase()}</span></button>
    </div>
  </div>`;
}
