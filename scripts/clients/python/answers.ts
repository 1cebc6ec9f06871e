import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, SHOWN, describeAnswer, namesIn, schemaOf, toSnakeCase } from "../described-schema.ts";
import { HEADING, INDENT, toDocstring, toPythonType } from "./source.ts";

/** The response schemas that are part of the client's API. */
const ANSWERS = ["Session", "BrowserRecord", "AccountInfo", "Screenshot"];

/** Renders dataclasses for responses, which have the same names as the core's models. */
export function renderPythonAnswers(contract: Contract): string {
  const names = ANSWERS.filter((name) => contract.components.schemas[name] !== undefined);
  const enums = names
    .flatMap((name) => Object.values(schemaOf(contract, name).properties ?? {}).flatMap(namesIn))
    .filter((name) => schemaOf(contract, name).enum !== undefined);
  const imported = [...new Set(enums)].toSorted().join(", ");
  return [
    `${HEADING}
from dataclasses import dataclass, field
from datetime import datetime
${imported === "" ? "" : `\nfrom remote_browser._generated.core import ${imported}\n`}`,
    ...names.map((name) => renderClass(contract, name)),
  ].join("\n");
}

function renderClass(contract: Contract, name: string): string {
  const { description, properties = {}, required = [] } = schemaOf(contract, name);
  const fields = Object.entries(properties).map(([member, schema]) => {
    const isRequired = required.includes(member);
    const type = toAnswerType(contract, schema);
    const hint = isRequired || type.endsWith(" | None") ? type : `${type} | None`;
    const prose = schema.description ?? describe(contract, schema);
    const doc = toDocstring(contract, describeAnswer(prose, schema.format, isRequired, "`null`"), INDENT);
    return `\n${INDENT}${toSnakeCase(member)}: ${hint}${toDefault(isRequired, SHOWN[name]?.includes(member) === true)}\n${INDENT}${doc}\n`;
  });
  return `
@dataclass(frozen=True)
class ${name}:
${INDENT}${toDocstring(contract, description ?? name, INDENT)}
${fields.join("")}`;
}

function toDefault(isRequired: boolean, isShown: boolean): string {
  if (isShown) return isRequired ? "" : " = None";
  return isRequired ? " = field(repr=False)" : " = field(default=None, repr=False)";
}

/** Returns a field's type. Resolves all references except those to enums. */
function toAnswerType(contract: Contract, schema: DescribedSchema): string {
  const { anyOf } = schema;
  if (anyOf !== undefined) return anyOf.map((each) => toAnswerType(contract, each)).join(" | ");
  const [name] = schema.$ref === undefined ? [] : namesIn(schema);
  if (name === undefined || schemaOf(contract, name).enum !== undefined) return toPythonType(schema);
  return toPythonType(schemaOf(contract, name));
}

function describe(contract: Contract, schema: DescribedSchema): string {
  return namesIn(schema).map((name) => schemaOf(contract, name).description ?? name)[0] ?? "";
}
