import { toSchemaName } from "../../../openapi/scripts/contract.ts";
import type { DescribedSchema } from "../described-schema.ts";

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
 * @throws {Error} For a type that is not supported yet.
 */
export function toPythonType(schema: DescribedSchema): string {
  if (schema.$ref !== undefined) return toSchemaName({ $ref: schema.$ref });
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

/** Every named schema in a type. */
export function namesIn(schema: DescribedSchema): string[] {
  if (schema.$ref !== undefined) return [toSchemaName({ $ref: schema.$ref })];
  return [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].flatMap(namesIn);
}

/** `keepOpen` → `keep_open`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}
