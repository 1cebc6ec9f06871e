import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, schemaOf } from "../described-schema.ts";
import { listOptionNames, withOptions } from "../options-table.ts";
import { HEADING, namesIn, toDocstring, toPythonType, toSnakeCase } from "./source.ts";

const INDENT = "    ";

/** A datetime with a time zone, which RFC 3339 requires. */
const MOMENT = "AwareDatetime";

/** Renders options as TypedDicts, so that type checkers find misspelled options and wrong types. */
export function renderPythonOptions(original: Contract): string {
  const contract = withOptions(original);
  const blocks = new Map<string, string>();
  const enums = new Set<string>();
  for (const name of listOptionNames(contract)) renderNamed(contract, name, blocks, enums);
  const imports = [...enums].toSorted();
  const ofPydantic = [...([...blocks.values()].some((each) => each.includes(MOMENT)) ? [MOMENT] : []), "ConfigDict"];
  return [
    `${HEADING}
from pydantic import ${ofPydantic.join(", ")}, with_config
from typing_extensions import NotRequired, TypedDict
${imports.length === 0 ? "" : `\nfrom remote_browser._generated.core import ${imports.join(", ")}\n`}`,
    ...blocks.values(),
  ].join("\n");
}

/** Renders a named schema after the schemas that it refers to. Enums are the core's. */
function renderNamed(contract: Contract, name: string, blocks: Map<string, string>, enums: Set<string>): void {
  const schema = schemaOf(contract, name);
  if (schema.properties === undefined) {
    enums.add(name);
    return;
  }
  if (blocks.has(name)) return;
  for (const each of Object.values(schema.properties).flatMap(namesIn)) renderNamed(contract, each, blocks, enums);
  blocks.set(name, renderDictionary(contract, name, schema));
}

/** Describes a member for `help()`, which shows only a TypedDict's own docstring. */
function describeMember(contract: Contract, alias: string, schema: DescribedSchema): string {
  return [`\`${toSnakeCase(alias)}\` (${describeType(contract, schema)}):`, ...(schema["x-hint"] ?? [])].join(" ");
}

function describeType(contract: Contract, schema: DescribedSchema): string {
  const choices = namesIn(schema).flatMap((name) =>
    (schemaOf(contract, name)["x-enum-varnames"] ?? []).map((choice) => `${name}.${choice}`),
  );
  return choices.length > 0 ? choices.join(", ") : toPythonType(schema).replace(/ \| None$/, "");
}

function renderDictionary(contract: Contract, name: string, { description, properties, required }: DescribedSchema) {
  const summaries: string[] = [];
  const fields = Object.entries(properties ?? {}).map(([member, schema]) => {
    const { "x-alias": alias } = schema;
    if (alias === undefined) throw new Error(`${name}.${member} has no camelCase form (x-alias).`);
    summaries.push(describeMember(contract, alias, schema));
    const type = toPythonType(schema).replace("datetime", MOMENT);
    const hint = required?.includes(member) === true ? type : `NotRequired[${type}]`;
    const doc = toDocstring(contract, schema.description ?? "", INDENT);
    return `\n${INDENT}${toSnakeCase(alias)}: ${hint}\n${INDENT}${doc}\n`;
  });
  return `
@with_config(ConfigDict(extra="forbid", strict=True))
class ${name}(TypedDict):
${INDENT}${toDocstring(contract, [description ?? "", ...summaries].join("\n\n"), INDENT)}
${fields.join("")}`;
}
