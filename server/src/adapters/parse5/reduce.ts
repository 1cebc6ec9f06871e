import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from "parse5";
import type { ReducedPage } from "../../ports/page-reducer.ts";
import { cut } from "./cut.ts";
import { render } from "./render.ts";

/** Browsers build no deeper trees than 512; a deeper one would be read in time that grows with its square. */
export const MAX_DEPTH = 1024;

const DOCUMENT = /<(!doctype|html|head|body)\b/i;
/** Where a document says that it is one. */
const PROLOG_CHARS = 4096;

export class TooDeep extends Error {
  override readonly name = "TooDeep";
}

/** @throws {TooDeep} When elements are nested more than `MAX_DEPTH` deep. */
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
