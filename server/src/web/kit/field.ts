import { html } from "hono/html";
import type { Html } from "./layout.ts";

export type Field = {
  /** Of the field in its form. */
  readonly name: string;
  /** The page has it once; without it, that is the name. */
  readonly id?: string;
  readonly label: string | Html;
  readonly hint?: string | Html | undefined;
  /** What is wrong with what was entered. */
  readonly faults: readonly string[];
  /** Where it is entered. @param marks Attributes that tie the control to its label, its hint and its faults. */
  readonly control: (marks: Html) => Html;
};

/** A field of a form, with its hint, and what was wrong with what was entered. */
export function renderField({ name, id = name, label, hint, faults, control }: Field): Html {
  const notes = [...(faults.length === 0 ? [] : [`${id}-fault`]), ...(hint === undefined ? [] : [`${id}-hint`])];
  const marks = html`id="${id}" name="${name}" ${notes.length === 0 ? "" : html`aria-describedby="${notes.join(" ")}"`}
  ${faults.length === 0 ? "" : html`aria-invalid="true"`}`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    ${control(marks)} ${renderFaults(id, faults)}
    ${hint === undefined ? "" : html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`;
}

/** @param id Of the control, or the group of them, that they are about. */
export function renderFaults(id: string, faults: readonly string[]): Html {
  if (faults.length < 2) return html`${faults.map((fault) => renderFault(id, fault))}`;
  return html`<ul class="fault" id="${id}-fault" role="alert">
    ${faults.map((fault) => html`<li>${fault}</li>`)}
  </ul>`;
}

function renderFault(id: string, fault: string): Html {
  return html`<p class="fault" id="${id}-fault" role="alert">${fault}</p>`;
}

/** None, or the one. */
export function toFaults(fault: string | undefined): readonly string[] {
  return fault === undefined ? [] : [fault];
}
