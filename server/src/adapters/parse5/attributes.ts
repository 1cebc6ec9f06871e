import type { DefaultTreeAdapterTypes } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;

const MAX_URL_CHARS = 2000;
const MAX_VALUE_CHARS = 1000;

const URLS = new Set(["href", "src", "action"]);

/** Attributes that are meaningful without a value. */
const FLAGS = new Set(["checked", "selected", "disabled", "open", "multiple", "required", "readonly"]);

/** Attributes that describe an element's content. An empty element that has only these attributes is dropped. */
const OF_CONTENT = new Set(["id", "role", "lang", "type", "for", "colspan", "rowspan", "scope", "aria-current"]);

/**
 * Attributes that help to answer questions about a page. Classes and `data-` attributes, which only style sheets and
 * scripts use, make up more than half of many pages. Ids are rare, and connect labels and links to their targets.
 */
const USEFUL = new Set([
  ...URLS,
  ...FLAGS,
  ...OF_CONTENT,
  ..."alt title aria-label aria-checked aria-selected value placeholder name content property itemprop".split(" "),
  ..."method datetime label start".split(" "),
]);

/** The useful attributes of an element. */
type ReducedAttributes = {
  /** The attributes as they are written in a tag, each after a space. */
  readonly text: string;
  /** Whether to keep the element even if it is empty. */
  readonly isInformative: boolean;
};

export function reduceAttributes({ tagName, attrs }: Element): ReducedAttributes {
  const isPassword =
    tagName === "input" && attrs.some(({ name, value }) => name === "type" && /^password$/i.test(value));
  let text = "";
  let isInformative = false;
  for (const { name, value: raw } of attrs) {
    if (!USEFUL.has(name) || (isPassword && name === "value")) continue;
    if (FLAGS.has(name)) {
      text += ` ${name}`;
      continue;
    }
    const value = URLS.has(name) ? toUrl(raw) : toValue(raw);
    if (value === "") continue;
    text += ` ${name}="${value.replaceAll('"', "&quot;")}"`;
    isInformative ||= !OF_CONTENT.has(name);
  }
  return { text, isInformative };
}

/** Returns an empty string for script and data URLs, and for URLs that are too long to be useful. */
function toUrl(raw: string): string {
  const url = toValue(raw);
  // Ignore white space in a scheme, as browsers do.
  return raw.length > MAX_URL_CHARS || /^(javascript|vbscript|data|blob):/i.test(url.replace(/\s/g, "")) ? "" : url;
}

function toValue(raw: string): string {
  const value = cleanText(raw).trim();
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
}

/**
 * Returns text as a reader sees it. Collapses white space, and removes invisible characters (soft hyphens, zero-width
 * spaces, directional controls, tags) and private-use characters, which icon fonts use.
 */
export function cleanText(text: string): string {
  return text
    .replace(
      /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uE000-\uF8FF\u{E0000}-\u{E0FFF}]/gu,
      "",
    )
    .replace(/[\p{Cc}\s]+/gu, " ");
}
