import { html } from "hono/html";
import type { Allowance } from "../../../domain/account/allowance.ts";
import { renderNoPlan, renderUsedUp } from "./browsers-view.ts";
import { renderFaults, renderField } from "../../kit/components.ts";
import { type Frame, type Html, renderForm } from "../../kit/layout.ts";
import { OPEN_FIELDS, type OptionField } from "./open-fields.ts";

/** The form's values and errors. */
export type OpenEntered = {
  text(name: string): string;
  /** Field errors, keyed by JSON Pointer, as in API errors. */
  readonly faults: ReadonlyMap<string, string>;
  /** An error that doesn't concern a field. */
  readonly refusal: { readonly message: string; readonly isAboutPlan: boolean } | undefined;
};

const ALL_FIELDS = OPEN_FIELDS.flatMap((field) => (field.kind === "group" ? [field, ...field.fields] : [field]));

/** Seconds that the browser waits for its first client. The API's default suits programs, which connect faster. */
const KEEP_OPEN_S = "600";

export const NOTHING_ENTERED: OpenEntered = {
  text: (name) => (name === "KeepOpen" ? KEEP_OPEN_S : ""),
  faults: new Map(),
  refusal: undefined,
};

export function renderOpen(frame: Frame, entered: OpenEntered): Html {
  const { refusal } = entered;
  const fields = html`
    ${renderFaultList(entered)} ${OPEN_FIELDS.map((field) => renderOption(field, entered))}
    <p class="row">
      <button type="submit" class="primary">Open</button>
      <a href="${frame.to("/dashboard")}">Cancel</a>
    </p>
  `;
  return html`<h1>Open a browser</h1>
    <p class="lead">
      Fields you leave empty use their default values. A browser uses units from the first minute it is open.
    </p>
    ${
      refusal === undefined
        ? ""
        : html`<p class="notice bad" role="alert">
            ${refusal.message}
            ${refusal.isAboutPlan ? html`<a href="${frame.to("/dashboard/settings")}">Go to settings</a>` : ""}
          </p>`
    }
    ${renderForm(frame, "/dashboard/open", fields, { className: "stack card open-form" })}`;
}

/** Renders what replaces the form while the account can't open browsers. */
export function renderCannotOpen(frame: Frame, allowance: Allowance): Html {
  return html`<h1>Open a browser</h1>
    ${
      allowance.plan === undefined
        ? renderNoPlan(frame)
        : html`<section class="card empty">${renderUsedUp(frame, allowance)}</section>`
    }`;
}

/** Renders links to the fields with errors, and errors that don't concern a field. */
function renderFaultList(entered: OpenEntered): Html {
  const { faults } = entered;
  if (faults.size === 0) return html``;
  const wrong = ALL_FIELDS.filter((field) => faultsOf(field, entered).length > 0);
  const elsewhere = [...faults].filter(([pointer]) => !OPEN_FIELDS.some((field) => isWithin(pointer, field)));
  return html`<div class="notice bad" role="alert">
    <p>The browser was not opened. Fix these errors:</p>
    <ul>
      ${wrong.map(({ name }) => html`<li><a href="#${toId(name)}">${toFullWords(name)}</a></li>`)}
      ${elsewhere.map(([, message]) => html`<li>${message}</li>`)}
    </ul>
  </div>`;
}

function renderOption(field: OptionField, entered: OpenEntered): Html {
  const faults = faultsOf(field, entered);
  const id = toId(field.name);
  if (field.kind === "group") {
    return html`<fieldset
      class="group"
      id="${id}"
      tabindex="-1"
      aria-describedby="${faults.length === 0 ? "" : `${id}-fault `}${id}-hint"
    >
      <legend>${renderName(field.name)}</legend>
      <p class="hint" id="${id}-hint">${renderProse([field.hint, ...field.more].join(" "))}</p>
      ${renderFaults(id, faults)}
      <div class="grid">${field.fields.map((inner) => renderOption(inner, entered))}</div>
    </fieldset>`;
  }
  const { name, hint, more } = field;
  return html`<div class="field">
    ${renderField({
      name,
      id,
      label: renderName(name),
      hint: html`${renderProse(hint)}`,
      faults: faults.map((fault) => `${toWords(name)} ${fault}.`),
      control: (marks) => renderControl(field, marks, entered.text(name)),
    })}
    ${
      more.length === 0
        ? ""
        : html`<details class="hint">
            <summary>More about <code>${name}</code></summary>
            ${more.map((paragraph) => html`<p>${renderProse(paragraph)}</p>`)}
          </details>`
    }
  </div>`;
}

function renderControl(field: Exclude<OptionField, { readonly kind: "group" }>, marks: Html, value: string): Html {
  switch (field.kind) {
    case "choice":
      return html`<select ${marks}>
        <option value="">Default</option>
        ${field.choices.map(
          (choice) =>
            html`<option value="${choice.value}" ${choice.value === value ? html`selected` : ""}>
              ${choice.name}
            </option>`,
        )}
      </select>`;
    case "lines":
      return html`<textarea ${marks} spellcheck="false" placeholder="One per line">${`\n${value}`}</textarea>`;
    case "number":
      return html`<input ${marks} inputmode="decimal" autocomplete="off" value="${value}" />`;
    case "text":
      // Passwords are never sent back.
      return field.isSecret
        ? html`<input ${marks} type="password" autocomplete="off" />`
        : html`<input ${marks} type="text" autocomplete="off" spellcheck="false" value="${value}" />`;
  }
}

/** Returns the errors for a field and its list entries. */
function faultsOf(field: OptionField, { faults }: OpenEntered): string[] {
  const parts = field.kind === "group" ? field.fields.map(({ pointer }) => pointer) : [];
  return [...faults].flatMap(([pointer, message]) => {
    if (pointer === field.pointer) return [message];
    if (!isWithin(pointer, field) || parts.includes(pointer)) return [];
    const index = Number(pointer.slice(field.pointer.length + 1));
    return [Number.isInteger(index) ? `entry ${index + 1}: ${message}` : message];
  });
}

function isWithin(pointer: string, field: OptionField): boolean {
  return pointer === field.pointer || pointer.startsWith(`${field.pointer}/`);
}

/** Renders code in backticks. */
function renderProse(paragraph: string): Html[] {
  return paragraph.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** Renders the name in words, followed by the API's spelling if it differs. */
function renderName(name: string): Html {
  const words = toWords(name);
  return words === name ? html`${words}` : html`${words} <code>${name}</code>`;
}

/** `KeepOpen` → "Keep open". */
function toWords(name: string): string {
  const own = name.slice(name.lastIndexOf(".") + 1).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return own.charAt(0) + own.slice(1).toLowerCase();
}

/** Like `toWords`, but preceded by the field's group, as in "Proxy: host". */
function toFullWords(name: string): string {
  const [group, inner] = name.split(".");
  return group === undefined || inner === undefined
    ? toWords(name)
    : `${toWords(group)}: ${toWords(inner).toLowerCase()}`;
}

function toId(name: string): string {
  return `option-${name.replaceAll(".", "-").toLowerCase()}`;
}
