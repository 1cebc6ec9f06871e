import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf } from "../described-schema.ts";
import { type CodeWord, toPlainProse, wrap } from "../prose.ts";

/** One level of indentation. */
export const INDENT = "    ";

export const HEADING =
  '"""Rendered from the contract by `npm run generate`: change the files in openapi/, not this one."""\n';

const TYPES = new Map(
  Object.entries({ string: "str", boolean: "bool", number: "float", integer: "int", null: "None" }),
);

/**
 * Returns the Python type of a schema: for a named schema, its name.
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

/** The Python equivalents of JSON literals. */
const WORDS = new Map(Object.entries({ null: "None", true: "True", false: "False" }));

/**
 * Converts the contract's prose to a wrapped docstring with Python literals and the names of error classes.
 * @param indent The indentation of all lines except the first.
 */
export function toDocstring(contract: Contract, prose: string, indent: string): string {
  const width = MAX_COLUMNS - indent.length;
  const plain = toPlainProse(contract, prose, toPythonWord);
  const text = plain.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
  const line = `"""${text}"""`;
  // A quote directly before the closing quotes would end the docstring early.
  if (!text.includes("\n") && !text.endsWith('"') && line.length <= width) return line;
  const [first, ...others] = wrap(`"""${text}`, width);
  return [first, ...others.map((each) => `${indent}${each}`.trimEnd()), `${indent}"""`].join("\n");
}

function toPythonWord({ code, errorSchema }: CodeWord): string {
  return `\`${errorSchema ?? WORDS.get(code) ?? code}\``;
}
