import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type ContractFailure, listFailures } from "../../../openapi/scripts/failures.ts";
import { ownMembers, schemaOf } from "../described-schema.ts";
import {
  GO_CORE,
  type GoSchema,
  toCoreField,
  toGoComment,
  toGoField,
  toGoFile,
  toGoMember,
  toGoSchema,
} from "./source.ts";

type Members = readonly (readonly [string, GoSchema])[];

/**
 * Renders a type for each error in the contract, and the function that selects the type by the error's name. The client
 * compiles only if each type has a hand-written retryRule method.
 */
export function renderGoErrors(contract: Contract): string {
  const failures = listFailures(contract);
  const listed = failures.map((failure) => ({ failure, own: readOwn(contract, failure) }));
  const declarations = [
    ...listed.flatMap(({ failure, own }) => renderType(contract, failure, own)),
    renderAssertions(failures),
    renderNames(listed),
  ];
  const usesCore = listed.some(({ own }) => own.length > 0);
  return toGoFile(usesCore ? [GO_CORE] : [], declarations);
}

function renderType(contract: Contract, failure: ContractFailure, own: Members): string[] {
  const type = failure.schema;
  const intro = `${type} is the contract's ${failure.name}, HTTP status ${failure.httpStatus}.`;
  const { description: meaning = "" } = schemaOf(contract, type);
  const fields = own.map(
    ([member, { description, items }]) =>
      `\n${toGoMember(contract, description, member, `[]${items?.name ?? "string"}`)}`,
  );
  const problems = own.flatMap(([, { items }]) => (items?.name === undefined ? [] : [renderProblem(contract, items)]));
  return [
    `${toGoComment(contract, `${intro}\n\n${meaning}`)}\ntype ${type} struct {\n\t*APIError\n${fields.join("")}}`,
    ...problems,
    `// Unwrap makes errors.As find the [*APIError] as well.\nfunc (e *${type}) Unwrap() error { return e.APIError }`,
  ];
}

function renderProblem(contract: Contract, schema: GoSchema): string {
  const members = [...schema.members].map(([member, { description }]) =>
    toGoMember(contract, description, member, "string"),
  );
  const comment = toGoComment(contract, `${schema.name} is an element of an error's list. ${schema.description}`);
  return `${comment}\ntype ${schema.name} struct {\n${members.join("\n")}}`;
}

function renderAssertions(failures: readonly ContractFailure[]): string {
  const lines = failures.map(({ schema }) => `var _ contractError = (*${schema})(nil)\n`);
  return `// Each error needs a retryRule method, which a person writes.\n${lines.join("")}`.trimEnd();
}

function renderNames(listed: readonly { failure: ContractFailure; own: Members }[]): string {
  const cases = listed.map(({ failure, own }) => {
    const body = own.length === 0 ? `\t\treturn &${failure.schema}{APIError: base}\n` : renderOwn(failure, own);
    return `\tcase "${failure.name}":\n${body}`;
  });
  return `// ofName gives an answer of the service the type that its name has in the contract. An answer whose
// name this version does not know stays a plain [*APIError].
func ofName(base *APIError, said map[string]any) error {
	switch base.Name {
${cases.join("")}	default:
		return base
	}
}`;
}

/**
 * Renders the code that reads the error's own members, which are lists of objects.
 * @throws {Error} If the elements of a list have no named schema.
 */
function renderOwn({ schema }: ContractFailure, own: Members): string {
  const lists = own.map(([member, { items }]) => {
    if (items?.name === undefined) throw new Error(`There is no Go type for the elements of ${member} yet.`);
    const fields = [...items.members.keys()].map((key) => `${toGoField(key)}: item.${toCoreField(key)}`);
    return `		for _, item := range readList[generated.${items.name}](said["${member}"]) {
			failure.${toGoField(member)} = append(failure.${toGoField(member)}, ${items.name}{${fields.join(", ")}})
		}
`;
  });
  return `		failure := &${schema}{APIError: base}
${lists.join("")}		return failure
`;
}

function readOwn(contract: Contract, failure: ContractFailure): Members {
  return ownMembers(contract, failure).map(([member, schema]) => [member, toGoSchema(contract, schema)]);
}
