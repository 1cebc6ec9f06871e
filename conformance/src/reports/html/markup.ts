import { toPrintable } from "../printable.ts";

/** HTML. All other values are text and get escaped when they are inserted. */
export type Markup = { readonly html: string };

type Value = Markup | string | number | null | readonly Markup[];

/** Writes HTML: markup`<p>${text}</p>`. Put attributes in double quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = parts.map((part, index) => part + toHtml(values[index] ?? null));
  return { html: html.join("") };
}

/** For the package's own styles and scripts only. */
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
