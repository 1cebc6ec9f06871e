import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type CodeWord, toPlainProse } from "../plain-prose.ts";
import { wrap } from "../wrap.ts";

const MAX_COLUMNS = 100;

/** Columns that the opening quotes take in the first line. */
const QUOTES = 3;

// Converts the contract's JSON words to Python's.
const WORDS: ReadonlyMap<string, string> = new Map([
  ["null", "None"],
  ["true", "True"],
  ["false", "False"],
]);

/**
 * Converts the contract's prose to a docstring, with Python's words, the names of error classes, and wrapped lines.
 * @param indent Indentation of each line except the first, and of the closing quotes.
 */
export function toDocstring(contract: Contract, prose: string, indent: string): string {
  const width = MAX_COLUMNS - indent.length;
  const paragraphs = toPythonProse(contract, prose).split("\n\n");
  const [only] = paragraphs;
  // A quote directly before the closing ones would end the docstring early.
  const fits = paragraphs.length === 1 && only !== undefined && only.length + '""""""'.length <= width;
  if (fits && !only.endsWith('"')) return `"""${only}"""`;
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : [""]),
    ...wrap(paragraph, width, index === 0 ? width - QUOTES : width),
  ]);
  const [first = "", ...others] = lines;
  return [`"""${first}`, ...others.map((line) => `${indent}${line}`.trimEnd()), `${indent}"""`].join("\n");
}

/** Converts prose to Python's words, and escapes it for a docstring. */
function toPythonProse(contract: Contract, prose: string): string {
  return toPlainProse(contract, prose, toPythonWord).replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
}

function toPythonWord({ code, errorSchema }: CodeWord): string {
  return `\`${errorSchema ?? WORDS.get(code) ?? code}\``;
}
