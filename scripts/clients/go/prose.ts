import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type CodeWord, toPlainProse } from "../plain-prose.ts";
import { wrap } from "../wrap.ts";

const MAX_COLUMNS = 100;

/**
 * The contract's prose as a Go doc comment: plain text, `nil` for `null`, and links to the types of errors.
 * @param indent Tabs before each line, of which gofmt's readers see four columns.
 */
export function toGoComment(contract: Contract, prose: string, indent = ""): string {
  const paragraphs = toPlainProse(contract, prose, toGoWord).split("\n\n");
  const width = MAX_COLUMNS - indent.length * 4 - "// ".length;
  const lines = paragraphs.flatMap((paragraph, index) => [...(index === 0 ? [] : [""]), ...wrap(paragraph, width)]);
  return lines.map((line) => `${indent}// ${line}`.trimEnd()).join("\n");
}

function toGoWord({ code, errorSchema }: CodeWord): string {
  if (errorSchema !== undefined) return `[${errorSchema}]`;
  return code === "null" ? "nil" : code;
}

/** A description put behind the name that Go wants in front, so it no longer begins the sentence. */
export function toClause(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}
