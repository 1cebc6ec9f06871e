import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, listKinds, namesIn, referenceOf, schemaOf, toSnakeCase } from "../described-schema.ts";
import { listOptionSchemas, listOptions, withOptions } from "../options-table.ts";
import { renderDoc, renderSource } from "./source.ts";

/** Renders the options under their camelCase names from `x-alias`, and tables of their names on the wire. */
export function renderTypescriptOptions(original: Contract): string {
  const contract = withOptions(original);
  const blocks = [...listOptionSchemas(contract)].map(([name, schema]) =>
    isObject(schema) ? renderInterface(contract, name, schema) : renderKinds(name, schema),
  );
  return renderSource(`import type { components } from "./types.ts";`, ...blocks);
}

/** Renders an enum of numbers, which callers pass by number or by name. */
function renderKinds(name: string, schema: DescribedSchema): string {
  const rows = listKinds(name, schema).map(([kind, number]) => `  ${kind}: ${number},\n`);
  return (
    `/** The number of each kind. */\nexport const ${toTable(name)} = {\n${rows.join("")}} as const;\n\n` +
    renderDoc(`${(schema.description ?? "").trim()}\n\nPass the name or the number.`) +
    `export type ${name} = keyof typeof ${toTable(name)} | components["schemas"]["${name}"];\n`
  );
}

function renderInterface(contract: Contract, name: string, schema: DescribedSchema): string {
  const options = listOptions(name, schema);
  const fields = options.map(({ alias, schema: option, isRequired }) => {
    const [mark, orUndefined] = isRequired ? ["", ""] : ["?", " | undefined"];
    return `${renderDoc(option.description, 2)}  readonly ${alias}${mark}: ${toType(contract, option)}${orUndefined};\n`;
  });
  const rows = options.map(({ wire, alias, schema: option }) => `  ${alias}: ${renderWire(contract, wire, option)},\n`);
  const prose = (schema.description ?? "").replace(
    /\s*Each(?:\s+member)? has a second, camelCase\s+spelling[^.]*\./,
    "",
  );
  return (
    `${renderDoc(prose)}export interface ${toTypeName(contract, name)} {\n${fields.join("")}}\n\n` +
    `/** The name of each option on the wire. */\nexport const ${toTable(name)} = {\n${rows.join("")}} as const;\n`
  );
}

function renderWire(contract: Contract, wire: string, property: DescribedSchema): string {
  const [target] = namesIn(property);
  if (target === undefined) return `{ wire: "${wire}" }`;
  return `{ wire: "${wire}", ${isObject(schemaOf(contract, target)) ? "members" : "kinds"}: ${toTable(target)} }`;
}

/** Returns the type that callers use. */
function toType(contract: Contract, schema: DescribedSchema): string {
  const { anyOf, items, type, format } = schema;
  const reference = referenceOf(schema);
  if (reference !== undefined) return toTypeName(contract, reference);
  if (anyOf !== undefined) return anyOf.map((each) => toType(contract, each)).join(" | ");
  const types = [type ?? []].flat().map((each) => {
    if (each === "array" && items !== undefined) return `readonly ${toType(contract, items)}[]`;
    if (each === "string" && format === "date-time") return "Date | string";
    if (each === "integer") return "number";
    if (["string", "number", "boolean", "null"].includes(each)) return each;
    throw new Error(`The TypeScript generator doesn't support options of the type ${each} yet.`);
  });
  if (types.length === 0) throw new Error(`An option without a type: ${JSON.stringify(schema)}`);
  return types.join(" | ");
}

function isObject({ properties }: DescribedSchema): boolean {
  return properties !== undefined;
}

/** Returns a type's name. Names of object types end in `Options`, because `Proxy` is a global in JavaScript. */
function toTypeName(contract: Contract, name: string): string {
  return isObject(schemaOf(contract, name)) && !name.endsWith("Options") ? `${name}Options` : name;
}

/** Converts `OpenOptions` to `OPEN_OPTIONS`. */
function toTable(name: string): string {
  return toSnakeCase(name).toUpperCase();
}
