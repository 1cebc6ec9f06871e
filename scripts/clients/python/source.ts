import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf } from "../described-schema.ts";
import { type CodeWord, toPlainProse, wrap } from "../prose.ts";

/** One level of indentation. */
export const INDENT = "    ";

export const HEADING =
  '"""Rendered from the contract by `npm run generate`: change the files in openapi/, not this one."""\n';

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "str"],
  ["boolean", "bool"],
  ["number", "float"],
  ["integer", "int"],
  ["null", "None"],
]);

/**
 * Returns the Python type of a schema. A named schema is a type with its name.
 * @throws {Error} For an unsupported type.
 */
export function toPythonType(schema: DescribedSchema): string {
  const name = referenceOf(schema);
  if (name !== undefined) return name;
  if (schema.anyOf !== undefined) return schema.anyOf.map(toPythonType).join(" | ");
  const types = [schema.type ?? []].flat().map((type) => {
    if (type === "string" && schema.format === "date-time") return "datetime";
    if (type === "string" && schema.format === "byte") return "bytes";
    if (type === "array" && schema.items !== undefined) return `list[${toPythonType(schema.items)}]`;
    const python = TYPES.get(type);
    if (python === undefined) throw new Error(`The Python generator doesn't support members of the type ${type} yet.`);
    return python;
  });
  if (types.length === 0) throw new Error(`A member without a type: ${JSON.stringify(schema)}`);
  return types.join(" | ");
}

const MAX_COLUMNS = 100;

/** The width of the opening quotes in the first line. */
const QUOTES = 3;

/** Python's spelling of JSON's words. */
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
  // A quote directly before the closing quotes would end the docstring early.
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
