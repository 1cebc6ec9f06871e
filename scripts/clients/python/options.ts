import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, namesIn, schemaOf, toSnakeCase } from "../described-schema.ts";
import { listOptionSchemas, listOptions, withOptions } from "../options-table.ts";
import { HEADING, INDENT, toDocstring, toPythonType } from "./source.ts";

/** A datetime with a time zone, because RFC 3339 requires a time zone. */
const MOMENT = "AwareDatetime";

/** Renders options as TypedDicts, so that type checkers find misspelled options and wrong types. */
export function renderPythonOptions(original: Contract): string {
  const contract = withOptions(original);
  const schemas = [...listOptionSchemas(contract)];
  const blocks = schemas
    .filter(([, { properties }]) => properties !== undefined)
    .map(([name, schema]) => renderDictionary(contract, name, schema));
  const enums = schemas.filter(([, { properties }]) => properties === undefined).map(([name]) => name);
  const ofPydantic = [...(blocks.some((each) => each.includes(MOMENT)) ? [MOMENT] : []), "ConfigDict"];
  return [
    `${HEADING}
from pydantic import ${ofPydantic.join(", ")}, with_config
from typing_extensions import NotRequired, TypedDict
${enums.length === 0 ? "" : `\nfrom remote_browser._generated.core import ${enums.toSorted().join(", ")}\n`}`,
    ...blocks,
  ].join("\n");
}

/** Describes an option briefly, because `help()` shows only the docstring of a TypedDict. */
function describeMember(contract: Contract, alias: string, schema: DescribedSchema): string {
  return [`\`${toSnakeCase(alias)}\` (${describeType(contract, schema)}):`, ...(schema["x-hint"] ?? [])].join(" ");
}

function describeType(contract: Contract, schema: DescribedSchema): string {
  const choices = namesIn(schema).flatMap((name) =>
    (schemaOf(contract, name)["x-enum-varnames"] ?? []).map((choice) => `${name}.${choice}`),
  );
  return choices.length > 0 ? choices.join(", ") : toPythonType(schema).replace(/ \| None$/, "");
}

function renderDictionary(contract: Contract, name: string, schema: DescribedSchema): string {
  const options = listOptions(name, schema);
  const summaries = options.map(({ alias, schema: option }) => describeMember(contract, alias, option));
  const fields = options.map(({ alias, schema: option, isRequired }) => {
    const type = toPythonType(option).replace("datetime", MOMENT);
    const hint = isRequired ? type : `NotRequired[${type}]`;
    const doc = toDocstring(contract, option.description ?? "", INDENT);
    return `\n${INDENT}${toSnakeCase(alias)}: ${hint}\n${INDENT}${doc}\n`;
  });
  return `
@with_config(ConfigDict(extra="forbid", strict=True))
class ${name}(TypedDict):
${INDENT}${toDocstring(contract, [schema.description ?? "", ...summaries].join("\n\n"), INDENT)}
${fields.join("")}`;
}
