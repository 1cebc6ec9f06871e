import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type CodeWord, toPlainProse } from "../plain-prose.ts";
import { wrap } from "../wrap.ts";

const MAX_COLUMNS = 100;

/**
 * Converts the contract's prose to a Go doc comment: plain text, with `nil` for `null` and links to error types.
 * @param indent Tabs before each line, which count as four columns.
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

/** Lowercases the first letter of a description, because Go's doc comments begin with the name. */
export function toClause(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}
