import { toPrintable } from "../printable.ts";

/** What is HTML already. Everything else is text, and gets escaped wherever it is put in. */
export type Markup = { readonly html: string };

type Value = Markup | string | number | null | readonly Markup[];

/** Writes HTML: markup`<p>${text}</p>`. Attributes have to stand in double quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = parts.map((part, index) => part + toHtml(values[index] ?? null));
  return { html: html.join("") };
}

/** For what stands in this package's own files: styles and scripts. */
export function trusted(html: string): Markup {
  return { html };
}

export const NOTHING: Markup = { html: "" };

function toHtml(value: Value): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "number") return escape(String(value));
  return "html" in value ? value.html : value.map(({ html }) => html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return toPrintable(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
