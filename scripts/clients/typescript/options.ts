import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, namesIn, referenceOf, schemaOf, toSnakeCase } from "../described-schema.ts";
import { listOptionSchemas, withOptions } from "../options-table.ts";
import { renderDoc, renderSource } from "./source.ts";

/** Renders options in camelCase, from `x-alias`, and the tables of their names on the wire. */
export function renderTypescriptOptions(original: Contract): string {
  const contract = withOptions(original);
  const blocks = [...listOptionSchemas(contract)].map(([name, schema]) =>
    isObject(schema) ? renderInterface(contract, name, schema) : renderKinds(name, schema),
  );
  return renderSource(`import type { components } from "./types.ts";`, ...blocks);
}

/** Renders an enum of numbers. Callers pass a name from the contract or a number. */
function renderKinds(
  name: string,
  { description, enum: numbers = [], "x-enum-varnames": names }: DescribedSchema,
): string {
  if (names?.length !== numbers.length) throw new Error(`${name} does not name each of its numbers (x-enum-varnames).`);
  const rows = names.map((each, index) => `  ${each}: ${JSON.stringify(numbers[index])},\n`).join("");
  return (
    `/** The number of each kind. */\nexport const ${toTable(name)} = {\n${rows}} as const;\n\n` +
    renderDoc(`${(description ?? "").trim()}\n\nPass the name or the number.`) +
    `export type ${name} = keyof typeof ${toTable(name)} | components["schemas"]["${name}"];\n`
  );
}

function renderInterface(contract: Contract, name: string, schema: DescribedSchema): string {
  const { description, properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([wire, property]) => {
    const { "x-alias": alias } = property;
    if (alias === undefined) throw new Error(`${name}.${wire} has no camelCase form (x-alias).`);
    return { wire, alias, property, isRequired: required.includes(wire) };
  });
  const fields = members.map(({ alias, property, isRequired }) => {
    const optional = isRequired ? ["", ""] : ["?", " | undefined"];
    return `${renderDoc(property.description, 2)}  readonly ${alias}${optional[0]}: ${toType(contract, property)}${optional[1]};\n`;
  });
  const rows = members.map(({ wire, alias, property }) => `  ${alias}: ${renderWire(contract, wire, property)},\n`);
  const prose = (description ?? "").replace(/\s*Each(?:\s+member)? has a second, camelCase\s+spelling[^.]*\./, "");
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

/** Returns the type for callers. */
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

/** Object types end in `Options`, because `Proxy` is a global in JavaScript. */
function toTypeName(contract: Contract, name: string): string {
  return isObject(schemaOf(contract, name)) && !name.endsWith("Options") ? `${name}Options` : name;
}

/** Converts `OpenOptions` to `OPEN_OPTIONS`. */
function toTable(name: string): string {
  return toSnakeCase(name).toUpperCase();
}
