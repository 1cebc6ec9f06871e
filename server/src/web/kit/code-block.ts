import { html } from "hono/html";
import type { Html } from "./layout.ts";

export type CodeBlock = {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** A person puts their own into it: as it stands it is no use. */
  readonly isToFillIn?: boolean;
};

/** Text to read and to copy; it scrolls by itself where it is wider than the page. */
export function renderCodeBlock({ id, title, text, isToFillIn = false }: CodeBlock): Html {
  return html`<div class="code-block">
    <div class="row spread">
      <p id="${id}-title">${title}</p>
      ${isToFillIn ? "" : html`<button type="button" class="small" data-copy="${text}">Copy<span class="unseen"> ${title}</span></button>`}
    </div>
    <pre id="${id}" tabindex="0" role="group" aria-labelledby="${id}-title"><code>${text}</code></pre>
  </div>`;
}
