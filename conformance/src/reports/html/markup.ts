import { toPrintable } from "../printable.ts";

/** Trusted HTML. Values of any other type are escaped when inserted. */
export type Markup = { readonly html: string };

type Value = Markup | string | number | null | readonly Markup[];

/** Builds HTML: markup`<p>${text}</p>`. Put attributes in double quotes. */
export function markup(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const html = parts.map((part, index) => part + toHtml(values[index] ?? null));
  return { html: html.join("") };
}

/** Marks the package's own styles and scripts as HTML that must not be escaped. */
export function trusted(html: string): Markup {
  return { html };
}

export const NOTHING: Markup = { html: "" };
/** An attribute of `<details>`. */
export const OPEN: Markup = { html: " open" };

function toHtml(value: Value): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "number") return escapeMarkup(String(value));
  return "html" in value ? value.html : value.map(({ html }) => html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes text for HTML and XML, and replaces characters that HTML and XML can't contain with visible escapes. */
export function escapeMarkup(text: string): string {
  return toPrintable(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
