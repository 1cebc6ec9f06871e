import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type ContractFailure, listFailures } from "../../../openapi/scripts/failures.ts";
import { type DescribedSchema, namesIn, ownMembers, schemaOf, toSnakeCase } from "../described-schema.ts";
import { HEADING, INDENT, toDocstring, toPythonType } from "./source.ts";

/** Renders the type of error names, a class for each error, and the map from names to classes. */
export function renderPythonErrors(contract: Contract): string {
  const failures = listFailures(contract);
  const models = [
    ...new Set(failures.flatMap((failure) => ownMembers(contract, failure).flatMap(([, s]) => namesIn(s)))),
  ];
  return [
    `${HEADING}
from collections.abc import Mapping
from typing import Final, Literal

from pydantic import TypeAdapter
from typing_extensions import TypeGuard

${models.length === 0 ? "" : `from remote_browser._generated.core import ${models.join(", ")}\n`}from remote_browser.errors import ApiError

__all__ = [
${["ErrorName", ...failures.map(({ schema }) => schema)].map((name) => `${INDENT}"${name}",\n`).join("")}]
`,
    `ErrorName = Literal[\n${failures.map(({ name }) => `${INDENT}"${name}",\n`).join("")}]\n"""Every name that an error of the service can have."""\n`,
    ...failures.map((failure) => `\n${renderClass(contract, failure)}`),
    `
ERRORS: Final[Mapping[ErrorName, type[ApiError]]] = {
${failures.map(({ name, schema }) => `${INDENT}"${name}": ${schema},\n`).join("")}}
"""The class of each name."""

`,
    `def is_error_name(name: str) -> TypeGuard[ErrorName]:
${INDENT}"""Whether this client knows an error of that name."""
${INDENT}return name in ERRORS
`,
  ].join("\n");
}

function renderClass(contract: Contract, failure: ContractFailure): string {
  const { schema, name, httpStatus } = failure;
  const { description = "" } = schemaOf(contract, schema);
  const prose = `${description.trim()}\n\nHTTP status ${httpStatus}, name "${name}".`;
  const members = ownMembers(contract, failure).map(([member, each]) => {
    const type = toPythonType(each);
    const doc = toDocstring(contract, each.description ?? "", INDENT.repeat(2));
    return `
${INDENT}@property
${INDENT}def ${toSnakeCase(member)}(self) -> ${type}:
${INDENT.repeat(2)}${doc}
${INDENT.repeat(2)}return self._read("${member}", TypeAdapter(${type}), ${emptyOf(member, each)})
`;
  });
  return `class ${schema}(ApiError):\n${INDENT}${toDocstring(contract, prose, INDENT)}\n${members.join("")}`;
}

/** Returns the default for a member that is missing or invalid. */
function emptyOf(member: string, { type }: DescribedSchema): string {
  if (type === "array") return "[]";
  throw new Error(`The error's member ${member} is not a list, and has no empty value in Python yet.`);
}
