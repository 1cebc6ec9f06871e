import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type ContractFailure, listFailures } from "../../../openapi/scripts/failures.ts";
import { type DescribedSchema, ownMembers, referenceOf, schemaOf } from "../described-schema.ts";
import { PACKAGE, toConstant, toJavadoc, toSource } from "./source.ts";

/** Renders a class for each error in the contract, and the enum of error names. The result is keyed by class name. */
export function renderJavaErrors(contract: Contract): ReadonlyMap<string, string> {
  const failures = listFailures(contract);
  const classes = failures.map((failure) => [failure.schema, renderError(contract, failure)] as const);
  return new Map([...classes, ["ErrorName", renderNames(contract, failures)]]);
}

function renderError(contract: Contract, failure: ContractFailure): string {
  const { schema, httpStatus } = failure;
  const described = schemaOf(contract, schema);
  const lists = ownMembers(contract, failure).map(([name, member]) => toList(schema, name, member));
  const doc = toJavadoc(`${described.description ?? schema}\n\nThe HTTP status is ${httpStatus}.`);
  const fields = lists.map(({ name, item }) => `  private final transient List<${item}> ${name};\n`);
  const reads = lists.map(({ name, item }) => `    this.${name} = refusal.readList("${name}", ${item}.class);\n`);
  const accessors = lists.map(
    ({ name, item, doc: text }) => `
${toJavadoc(`${text} Empty when the response doesn't include it.`, "  ")}  public List<${item}> ${name}() {
    return ${name};
  }
`,
  );
  const imports = [`${PACKAGE}.ApiError`, `${PACKAGE}.Refusal`, ...(lists.length === 0 ? [] : ["java.util.List"])];
  return toSource(
    imports,
    `${doc}public final class ${schema} extends ApiError {
  private static final long serialVersionUID = 1L;
${fields.length === 0 ? "" : `\n${fields.join("")}`}
  ${schema}(Refusal refusal) {
    super(refusal);
${reads.join("")}  }
${accessors.join("")}}
`,
  );
}

/** @throws {Error} If the member isn't a list of objects. Other types aren't supported yet. */
function toList(schema: string, name: string, member: DescribedSchema): { name: string; item: string; doc: string } {
  const item = member.items && referenceOf(member.items);
  if (member.type !== "array" || item === undefined) {
    throw new Error(
      `${schema}.${name} is not a list of a named schema: add support for it to scripts/clients/java/errors.ts.`,
    );
  }
  return { name, item, doc: (member.description ?? name).trim() };
}

function renderNames(contract: Contract, failures: readonly ContractFailure[]): string {
  const constants = failures.map(({ schema, name }) => {
    return `${toJavadoc(schemaOf(contract, schema).description ?? name, "  ")}  ${toConstant(name)}("${name}", ${schema}::new)`;
  });
  return toSource(
    [
      `${PACKAGE}.ApiError`,
      `${PACKAGE}.Refusal`,
      "java.util.Arrays",
      "java.util.Optional",
      "java.util.function.Function",
    ],
    `/** The errors of the contract. */
public enum ErrorName {
${constants.join(",\n\n")};

  private final String text;
  private final Function<Refusal, ApiError> constructor;

  ErrorName(String text, Function<Refusal, ApiError> constructor) {
    this.text = text;
    this.constructor = constructor;
  }

  /** Finds an error by its name; empty when this version doesn't know the name. */
  public static Optional<ErrorName> find(String text) {
    return Arrays.stream(values()).filter(name -> name.text.equals(text)).findAny();
  }

  /** Creates the error with this name. */
  public ApiError toError(Refusal refusal) {
    return constructor.apply(refusal);
  }

  /** The name in responses. */
  @Override
  public String toString() {
    return text;
  }
}
`,
  );
}
