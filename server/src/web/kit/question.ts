import { html } from "hono/html";
import { type Frame, type Html, renderForm } from "./layout.ts";

export type Question = {
  /** On the button that asks. */
  readonly ask: string;
  /** What will happen. */
  readonly text: string;
  /** On the button that does it. */
  readonly act: string;
  readonly path: string;
  /** Fields that are sent along. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** A button that says first what it would do. */
export function renderQuestion(frame: Frame, { ask, text, act, path, fields = {} }: Question): Html {
  const content = html`<p>${text}</p>
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button type="submit" class="danger">${act}</button>`;
  return html`<details class="asks">
    <summary class="button">${ask}</summary>
    ${renderForm(frame, path, content, { className: "stack" })}
  </details>`;
}
