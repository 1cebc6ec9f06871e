import type { DefaultTreeAdapterTypes } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;

const MAX_URL_CHARS = 2000;
const MAX_VALUE_CHARS = 1000;

const URLS = new Set(["href", "src", "action"]);

/** What says something by being there. */
const FLAGS = new Set(["checked", "selected", "disabled", "open", "multiple", "required", "readonly"]);

/** What only says something about an element that has content; empty, it is left out with them. */
const OF_CONTENT = new Set(["id", "role", "lang", "type", "for", "colspan", "rowspan", "scope", "aria-current"]);

/**
 * What answers questions about a page. Classes and `data-` attributes are more than half of many pages and mean something
 * to their style sheets and scripts only; ids are few, and say what a label or a link is about.
 */
const KEPT = new Set([
  ...URLS,
  ...FLAGS,
  ...OF_CONTENT,
  "alt",
  "title",
  "aria-label",
  "aria-checked",
  "aria-selected",
  "value",
  "placeholder",
  "name",
  "content",
  "property",
  "itemprop",
  "method",
  "datetime",
  "label",
  "start",
]);

/** What of an element's attributes is kept. */
export type KeptAttributes = {
  /** As they stand in a tag, each with a space before it. */
  readonly text: string;
  /** Whether they say something about an element without content. */
  readonly isTelling: boolean;
};

export function keepAttributes({ tagName, attrs }: Element): KeptAttributes {
  const isPassword =
    tagName === "input" && attrs.some(({ name, value }) => name === "type" && /^password$/i.test(value));
  let text = "";
  let isTelling = false;
  for (const { name, value: given } of attrs) {
    if (!KEPT.has(name) || (isPassword && name === "value")) continue;
    if (FLAGS.has(name)) {
      text += ` ${name}`;
      continue;
    }
    const value = URLS.has(name) ? toUrl(given) : toValue(given);
    if (value === "") continue;
    text += ` ${name}="${value.replaceAll('"', "&quot;")}"`;
    isTelling ||= !OF_CONTENT.has(name);
  }
  return { text, isTelling };
}

/** Empty for one that is a program or data rather than an address, or too long to be read. */
function toUrl(given: string): string {
  const url = toValue(given);
  // Browsers see through white space in a scheme, and so does this.
  return given.length > MAX_URL_CHARS || /^(javascript|vbscript|data|blob):/i.test(url.replace(/\s/g, "")) ? "" : url;
}

function toValue(given: string): string {
  const value = cleanText(given).trim();
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
}

/**
 * Text as a reader sees it: one space for any white space, and nothing for what has no shape (soft hyphens, zero-width
 * spaces, directional controls, tags, and private characters, which icon fonts use).
 */
export function cleanText(text: string): string {
  return text
    .replace(
      /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uE000-\uF8FF\u{E0000}-\u{E0FFF}]/gu,
      "",
    )
    .replace(/[\p{Cc}\s]+/gu, " ");
}
