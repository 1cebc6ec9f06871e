import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from "parse5";
import type { ReducedPage } from "../../ports/page-reducer.ts";
import { render } from "./render.ts";

/** Browsers nest elements up to 512 levels deep. Parsing time grows with the square of the depth. */
export const MAX_DEPTH = 1024;

const DOCUMENT = /<(!doctype|html|head|body)\b/i;
/** A full document contains one of these tags within its first `PROLOG_CHARS` characters. */
const PROLOG_CHARS = 4096;

/** Maximum share of the text that may be dropped to find a better place to cut. */
const MAX_WASTE = 0.2;

export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** @throws {TooDeep} If elements are nested more than `MAX_DEPTH` levels deep. */
export function reduce(html: string, maxChars: number): ReducedPage {
  const text = render(readTree(html));
  return { text: cut(text, maxChars), fullChars: text.length };
}

function readTree(html: string): DefaultTreeAdapterTypes.ParentNode {
  let depth = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooDeep();
    },
    onItemPop() {
      depth -= 1;
    },
  };
  // A fragment may begin in the middle of a table.
  const isDocument = DOCUMENT.test(html.slice(0, PROLOG_CHARS));
  return isDocument ? parse(html, { treeAdapter }) : parseFragment(html, { treeAdapter });
}

/** Cuts a page's text between two blocks if possible, otherwise between two words, but not inside a tag. */
function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const start = text.slice(0, maxChars);
  const least = maxChars * (1 - MAX_WASTE);
  const ends = [start.lastIndexOf("\n"), start.lastIndexOf(" ")];
  const whole = start.slice(0, ends.find((end) => end >= least) ?? maxChars);
  const tag = whole.lastIndexOf("<");
  const isInTag = tag > whole.lastIndexOf(">");
  // The cut may have split a surrogate pair.
  return (isInTag ? whole.slice(0, tag) : whole).replace(/[\uD800-\uDBFF]$/, "").trimEnd();
}
