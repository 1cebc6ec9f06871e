import { html } from "hono/html";
import { renderField, toFaults } from "../../kit/components.ts";
import type { Html } from "../../kit/layout.ts";

type FieldName = "plan" | "provider-key" | "current-password" | "new-password" | "delete-email" | "delete-password";

/** What was wrong, by the field that it stands at. */
export type SettingsFaults = { readonly [Name in FieldName]?: string };

export type SettingsField = {
  readonly name: FieldName;
  readonly label: string;
  readonly type: "password" | "text";
  readonly autocomplete: string;
  readonly value?: string;
  readonly hint?: string;
  /** All of the page; its own stands at it. */
  readonly faults: SettingsFaults;
};

/** A field of the settings: each has to be filled in, and is typed letter by letter. */
export function renderSettingsField({ name, label, type, autocomplete, value, hint, faults }: SettingsField): Html {
  return renderField({
    name,
    label,
    hint,
    faults: toFaults(faults[name]),
    control: (marks) =>
      html`<input
        ${marks}
        type="${type}"
        autocomplete="${autocomplete}"
        autocapitalize="none"
        spellcheck="false"
        required
        ${value === undefined ? "" : html`value="${value}"`}
      />`,
  });
}
