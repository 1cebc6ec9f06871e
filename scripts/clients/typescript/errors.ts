import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type ContractFailure, listFailures } from "../../../openapi/scripts/failures.ts";
import { ownMembers, schemaOf } from "../described-schema.ts";
import { renderDoc, renderSource } from "./source.ts";

/** Renders a class for each of the contract's errors. */
export function renderTypescriptErrors(contract: Contract): string {
  const failures = listFailures(contract);
  const names = failures.map(({ name }) => `  | ${JSON.stringify(name)}`).join("\n");
  return renderSource(
    `import { ApiError, type ApiErrorFacts } from "../api-error.ts";\nimport type { components } from "./types.ts";`,
    `/** Every name that an error of the service can have. */\nexport type ErrorName =\n${names};`,
    ...failures.map((failure) => renderClass(contract, failure)),
  );
}

/** Renders the map from error names to classes. */
export function renderTypescriptErrorClasses(contract: Contract): string {
  const failures = listFailures(contract);
  const imports = failures.map(({ schema }) => `  ${schema},\n`).join("");
  const rows = failures.map(({ name, schema }) => `  ["${name}", ${schema}],\n`).join("");
  return renderSource(
    `import type { ApiError, ApiErrorFacts } from "../api-error.ts";\n` +
      `import {\n  type ErrorName,\n${imports}} from "./errors.ts";`,
    `/** The class of each name. */\nexport const ERROR_CLASSES: ReadonlyMap<string, new (facts: ApiErrorFacts) => ApiError> = ` +
      `new Map<ErrorName, new (facts: ApiErrorFacts) => ApiError>([\n${rows}]);`,
  );
}

function renderClass(contract: Contract, failure: ContractFailure): string {
  const { schema, name, httpStatus } = failure;
  const { description } = schemaOf(contract, schema);
  const own = ownMembers(contract, failure);
  const fields = own.map(([member, { description: prose, type }]) => {
    const wire = `components["schemas"]["${schema}"]["${member}"]`;
    return `${renderDoc(prose, 2)}  readonly ${member}: ${type === "array" ? `Readonly<${wire}>` : `${wire} | undefined`};\n`;
  });
  const reads = own.map(([member, { type }]) => {
    const value = `facts.members["${member}"]`;
    const read = type === "array" ? `(Array.isArray(${value}) ? ${value} : [])` : value;
    return `    this.${member} = ${read} as ${schema}["${member}"];\n`;
  });
  const constructor = `\n  constructor(facts: ApiErrorFacts) {\n    super(facts);\n${reads.join("")}  }\n`;
  return (
    renderDoc(`${(description ?? "").trim()}\n\nHTTP status ${httpStatus}, name \`${name}\`.`) +
    `export class ${schema} extends ApiError {\n` +
    `  declare readonly status: ${httpStatus};\n  declare readonly name: ${JSON.stringify(name)};\n` +
    `${fields.join("")}${own.length === 0 ? "" : constructor}}\n`
  );
}
