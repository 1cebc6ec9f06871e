import type { DefaultTreeAdapterTypes } from "parse5";

type Element = DefaultTreeAdapterTypes.Element;

/** Elements that are invisible or don't contain text. All scripts are dropped, including scripts that contain data. */
const DROPPED = new Set([
  ...words("script style template noscript link base object embed applet param source track col colgroup datalist wbr"),
  ...words("clippath defs path symbol lineargradient radialgradient filter mask"),
]);

/** Inline tags that have no meaning unless they have attributes. */
const PLAIN_INLINE = new Set(words("a b bdi bdo big em font g i small span strong svg tt u"));

/** Block tags that have no meaning without attributes, and become line breaks. */
const PLAIN_BLOCK = new Set(["html", "head", "body", "div", "center", "tbody", "figure", "picture", "hgroup"]);

/** Inline tags. All others are blocks. Table cells are inline, so that a row stays on one line. */
const INLINE = new Set([
  ...PLAIN_INLINE,
  ...words("abbr area cite code data del dfn img input ins kbd label mark meter output picture progress q rb rp rt"),
  ...words("ruby s samp strike sub sup td text th time tspan var"),
]);

const VOID = new Set(["area", "hr", "img", "input", "meta"]);

/** Elements that are kept even if empty, such as table cells and input fields. */
const SHOWN_EMPTY = new Set(["hr", "input", "td", "th", "textarea", "select"]);

type TagRule = {
  readonly isInline: boolean;
  /** Whether the tag is dropped if it has no attributes. */
  readonly isPlain: boolean;
  readonly isVoid: boolean;
  readonly isShownEmpty: boolean;
  /** Whether white space in the element is significant. */
  readonly isVerbatim: boolean;
};

export function ruleOf(tagName: string): TagRule {
  return {
    isInline: INLINE.has(tagName),
    isPlain: PLAIN_INLINE.has(tagName) || PLAIN_BLOCK.has(tagName),
    isVoid: VOID.has(tagName),
    isShownEmpty: SHOWN_EMPTY.has(tagName),
    isVerbatim: tagName === "pre" || tagName === "textarea",
  };
}

/** Whether the element is hidden, regardless of its ancestors and style sheets. */
export function isInvisible(element: Element): boolean {
  const { tagName } = element;
  if (DROPPED.has(tagName.toLowerCase())) return true;
  const read = (name: string): string | undefined => element.attrs.find((one) => one.name === name)?.value;
  const hidden = read("hidden");
  // Users can search content that is hidden "until-found", and see content with "aria-hidden", such as prices.
  if (hidden !== undefined && !/^until-found$/i.test(hidden)) return true;
  if (isHiding(read("style") ?? "")) return true;
  switch (tagName) {
    case "input":
      return /^hidden$/i.test(read("type") ?? "");
    case "dialog":
      return read("open") === undefined;
    case "meta":
      return !/^(description|author|date|(og|article|product):.+)$/i.test(read("name") ?? read("property") ?? "");
    case "img":
      // A tracking pixel.
      return read("width") === "1" && read("height") === "1";
    default:
      return false;
  }
}

const HIDING = /^\s*(display\s*:\s*none|visibility\s*:\s*(hidden|collapse))\s*(!\s*important\s*)?$/i;

function isHiding(style: string): boolean {
  return withoutComments(style)
    .split(";")
    .some((declaration) => HIDING.test(declaration));
}

/** Runs in a single pass. A regular expression would search for the end of each of a million unclosed comments. */
function withoutComments(style: string): string {
  let plain = "";
  let from = 0;
  for (;;) {
    const start = style.indexOf("/*", from);
    if (start < 0) return plain + style.slice(from);
    plain += style.slice(from, start);
    const end = style.indexOf("*/", start + 2);
    // An unclosed comment continues to the end (CSS Syntax, section 4.3.2).
    if (end < 0) return plain;
    from = end + 2;
  }
}

function words(text: string): string[] {
  return text.split(" ");
}
