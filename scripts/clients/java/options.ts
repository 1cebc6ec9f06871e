import type { Contract } from "../../../openapi/scripts/contract.ts";
import { schemaOf } from "../described-schema.ts";
import { withOptions } from "../options-table.ts";
import { type OptionMember, listOptions } from "./option-members.ts";
import { toJavadoc, toSource } from "./source.ts";

/** The options that may be printed. Other members could be secrets. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  OpenOptions: [
    ...["Args", "IgnoredDefaultArgs", "Headless", "Stealth", "Browser", "KeepOpen", "Proxy", "Label"],
    ...["Tags", "Lifetime", "WaitForPlace", "Screen", "Language", "TimeZone"],
  ],
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

/** Renders the classes of requests by name, because openapi-generator would write setters without documentation. */
export function renderOptions(original: Contract): ReadonlyMap<string, string> {
  const contract = withOptions(original);
  return new Map([...listOptions(contract)].map(([name, members]) => [name, renderOption(contract, name, members)]));
}

function renderOption(contract: Contract, schema: string, members: readonly OptionMember[]): string {
  // In Java, each name has only one spelling.
  const doc = (schemaOf(contract, schema).description ?? schema).replaceAll(/ ?[^.]*`x-alias`\./g, "");
  const fields = members.map(
    ({ field, name, type, isRequired }) =>
      `  @JsonProperty("${name}")\n  private ${isRequired ? "" : "@Nullable "}${type} ${field};\n`,
  );
  const printed = members
    .filter(({ name }) => SHOWN[schema]?.includes(name))
    .map(({ field }) => `${field}=" + ${field} + "`);
  const hasMoment = members.some(({ type }) => type === "OffsetDateTime");
  return toSource(
    [...IMPORTS, ...(hasMoment ? ["java.time.OffsetDateTime"] : [])],
    `${toJavadoc(doc)}@JsonInclude(JsonInclude.Include.NON_NULL)
public final class ${schema} {
${fields.join("\n")}
${members.map((member) => renderMethods(schema, member)).join("\n")}
  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "${schema}[${printed.join(", ")}]";
  }

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

function renderMethods(schema: string, { field, name, doc, type, given, isRequired }: OptionMember): string {
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
