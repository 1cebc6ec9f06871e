import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type CodeWord, toPlainProse } from "../plain-prose.ts";
import { wrap } from "../wrap.ts";

const MAX_COLUMNS = 100;

/** Columns of the first line that belong to the quotes. */
const QUOTES = 3;

// The contract speaks JSON; who reads a docstring writes Python.
const WORDS: ReadonlyMap<string, string> = new Map([
  ["null", "None"],
  ["true", "True"],
  ["false", "False"],
]);

/**
 * The contract's prose as a docstring: Python's words, the names of the error classes, lines broken anew.
 * @param indent Before each line but the first, and before the closing quotes.
 */
export function toDocstring(contract: Contract, prose: string, indent: string): string {
  const width = MAX_COLUMNS - indent.length;
  const paragraphs = toPythonProse(contract, prose).split("\n\n");
  const [only] = paragraphs;
  // A quote before the closing ones would be taken for one of them.
  const fits = paragraphs.length === 1 && only !== undefined && only.length + '""""""'.length <= width;
  if (fits && !only.endsWith('"')) return `"""${only}"""`;
  const lines = paragraphs.flatMap((paragraph, index) => [
    ...(index === 0 ? [] : [""]),
    ...wrap(paragraph, width, index === 0 ? width - QUOTES : width),
  ]);
  const [first = "", ...others] = lines;
  return [`"""${first}`, ...others.map((line) => `${indent}${line}`.trimEnd()), `${indent}"""`].join("\n");
}

/** Prose with Python's words in it, of which nothing ends a docstring or escapes from it. */
function toPythonProse(contract: Contract, prose: string): string {
  return toPlainProse(contract, prose, toPythonWord).replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
}

function toPythonWord({ code, errorSchema }: CodeWord): string {
  return `\`${errorSchema ?? WORDS.get(code) ?? code}\``;
}
