import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, namesIn, schemaOf, toSnakeCase } from "../described-schema.ts";
import { listOptionSchemas, withOptions } from "../options-table.ts";
import { HEADING, INDENT, toDocstring, toPythonType } from "./source.ts";

/** A datetime with a time zone, which RFC 3339 requires. */
const MOMENT = "AwareDatetime";

/** Renders options as TypedDicts, so that type checkers find misspelled options and wrong types. */
export function renderPythonOptions(original: Contract): string {
  const contract = withOptions(original);
  const schemas = [...listOptionSchemas(contract)];
  const blocks = schemas
    .filter(([, { properties }]) => properties !== undefined)
    .map(([name, schema]) => renderDictionary(contract, name, schema));
  const enums = schemas.filter(([, { properties }]) => properties === undefined).map(([name]) => name);
  const imports = enums.toSorted();
  const ofPydantic = [...(blocks.some((each) => each.includes(MOMENT)) ? [MOMENT] : []), "ConfigDict"];
  return [
    `${HEADING}
from pydantic import ${ofPydantic.join(", ")}, with_config
from typing_extensions import NotRequired, TypedDict
${imports.length === 0 ? "" : `\nfrom remote_browser._generated.core import ${imports.join(", ")}\n`}`,
    ...blocks,
  ].join("\n");
}

/** Describes a member briefly for `help()`, which only shows the docstring of a TypedDict. */
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
