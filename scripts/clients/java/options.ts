import { type Contract, resolve } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf } from "../described-schema.ts";
import { listOptionSchemas, withOptions } from "../options-table.ts";
import { listMembers, renderToString, toJavadoc, toSource } from "./source.ts";

/** The options that may be printed. Any other option might contain a secret. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  OpenOptions: (
    "Args IgnoredDefaultArgs Headless Stealth Browser KeepOpen Proxy Label Tags Lifetime WaitForPlace Screen Language " +
    "TimeZone"
  ).split(" "),
  UpdateOptions: ["keepOpen", "lifetime", "label", "tags"],
  HistoryOptions: ["since", "until", "label", "tag"],
  Proxy: ["Host", "Port"],
  Screen: ["Width", "Height", "Scale"],
};

const IMPORTS = [
  "com.fasterxml.jackson.annotation.JsonInclude",
  "com.fasterxml.jackson.annotation.JsonProperty",
  "jakarta.annotation.Nullable",
  "java.util.Arrays",
  "java.util.List",
];

/** Renders the option classes, by name. The setters in openapi-generator's own classes have no documentation. */
export function renderJavaOptions(original: Contract): ReadonlyMap<string, string> {
  const contract = withOptions(original);
  const objects = [...listOptionSchemas(contract)].filter(([, { properties }]) => properties !== undefined);
  return new Map(objects.map(([name, schema]) => [name, renderOption(contract, name, schema)]));
}

function renderOption(contract: Contract, schema: string, described: DescribedSchema): string {
  const members = listMembers(contract, described).map(([name, member]) =>
    toMember(contract, schema, name, member, described.required?.includes(name) ?? false),
  );
  // In Java, each name has only one spelling.
  const doc = (described.description ?? schema).replaceAll(/ ?[^.]*`x-alias`\./g, "");
  const fields = members.map(
    ({ field, name, type, isRequired }) =>
      `  @JsonProperty("${name}")\n  private ${isRequired ? "" : "@Nullable "}${type} ${field};\n`,
  );
  const shown = members.filter(({ name }) => SHOWN[schema]?.includes(name)).map(({ field }) => field);
  const hasMoment = members.some(({ type }) => type === "OffsetDateTime");
  return toSource(
    [...IMPORTS, ...(hasMoment ? ["java.time.OffsetDateTime"] : [])],
    `${toJavadoc(doc)}@JsonInclude(JsonInclude.Include.NON_NULL)
public final class ${schema} {
${fields.join("\n")}
${members.map((member) => renderMethods(schema, member)).join("\n")}${renderToString(schema, shown)}
  @Override
  public boolean equals(Object other) {
    return other instanceof ${schema} same && members().equals(same.members());
  }

  @Override
  public int hashCode() {
    return members().hashCode();
  }

  private List<Object> members() {
    return Arrays.asList(${members.map(({ field }) => field).join(", ")});
  }
}
`,
  );
}

function renderMethods(
  schema: string,
  { field, name, doc, type, given, isRequired }: ReturnType<typeof toMember>,
): string {
  return `${toJavadoc(doc, "  ")}  public ${schema} ${field}(${given} ${field}) {
    this.${field} = ${field};
    return this;
  }

  /** Returns {@code ${field}}${isRequired ? "" : ", or null if it is not set"}. */
  public ${isRequired ? "" : "@Nullable "}${type} get${name.charAt(0).toUpperCase()}${name.slice(1)}() {
    return ${field};
  }
`;
}

/** The parameter types of numeric setters. Java accepts 120 as a `double`, but not as a `Double`. */
const PRIMITIVES: Readonly<Record<string, string>> = { Double: "double", Integer: "int", Long: "long" };

function toMember(contract: Contract, schema: string, name: string, member: DescribedSchema, isRequired: boolean) {
  const type = toType(contract, `${schema}.${name}`, member);
  return {
    /** The contract's spelling. */
    name,
    /** Java's spelling. */
    field: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
    doc: member.description ?? name,
    /** The field's type. */
    type,
    /** The setter's parameter type. */
    given: PRIMITIVES[type] ?? (isRequired ? type : `@Nullable ${type}`),
    isRequired,
  };
}

/**
 * Returns a member's Java type.
 * @param place The member's schema and name, for the error message.
 * @throws {Error} If the member has no supported Java type.
 */
export function toType(contract: Contract, place: string, member: DescribedSchema): string {
  const schema = withoutNull(member);
  const target = referenceOf(schema);
  const { enum: values, type, format, items } = { ...resolve<DescribedSchema>(contract, schema), ...schema };
  const plain = [type].flat().filter((one) => one !== "null");
  const kind = plain.length === 1 ? plain[0] : undefined;
  if (target !== undefined && (kind === "object" || values !== undefined)) return target;
  if (kind === "string" && format === "byte") return "byte[]";
  if (kind === "string") return format === "date-time" ? "OffsetDateTime" : "String";
  if (kind === "boolean") return "Boolean";
  if (kind === "number") return "Double";
  if (kind === "integer") return format === "int64" ? "Long" : "Integer";
  if (kind === "array" && items !== undefined) return `List<${toType(contract, `${place}[]`, items)}>`;
  throw new Error(`${place} has no type in Java yet: add the type to scripts/clients/java/options.ts.`);
}

/** Removes null from a nullable schema, because setting a member to null is the same as omitting it. */
function withoutNull(schema: DescribedSchema): DescribedSchema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  const [only] = others;
  return only !== undefined && others.length === 1 ? only : schema;
}
