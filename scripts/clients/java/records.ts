import type { Contract } from "../../../openapi/scripts/contract.ts";
import { DECODED, type DescribedSchema, SHOWN, schemaOf } from "../described-schema.ts";
import { toType } from "./options.ts";
import { PACKAGE, listMembers, renderToString, toJavadoc, toSource } from "./source.ts";

/** The response schemas that users see, by record name. */
const RECORDS = {
  Session: "Session",
  Desktop: "StartRemoteDesktopResult",
  BadRequestProblem: "BadRequestProblem",
  BrowserRecord: "BrowserRecord",
  AccountInfo: "AccountInfo",
  Screenshot: "Screenshot",
};

/**
 * The records that Jackson deserializes, including a screenshot's Base64 image. These records check themselves for
 * missing members. Jackson also decodes the Base64 image of a screenshot.
 */
const READ = new Set(["BrowserRecord", "AccountInfo", "Screenshot"]);

/** The component that the client adds to a Session. The component's interface provides the record's methods. */
const HANDLE: Component = {
  member: "handle",
  type: "BrowserHandle",
  isNullable: false,
  doc: "The handle that the record's methods use.",
};

const IMPORTS: Readonly<Record<string, string>> = {
  OffsetDateTime: "java.time.OffsetDateTime",
  "List<String>": "java.util.List",
};

/** Describes members that earlier versions don't send. */
const ABSENT = "Null if the service has an earlier version, which does not send it.";

/** Renders the response records, by name. A record's `toString` omits secrets. */
export function renderJavaRecords(contract: Contract): ReadonlyMap<string, string> {
  return new Map(Object.entries(RECORDS).map(([name, record]) => [name, renderRecord(contract, name, record)]));
}

type Component = {
  readonly member: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly doc: string;
};

function renderRecord(contract: Contract, name: string, schema: string): string {
  const shown = SHOWN[name] ?? [];
  const described = schemaOf(contract, schema);
  const required = new Set(described.required);
  const isRead = READ.has(name);
  const hasHandle = name === "Session";
  const components = [
    ...listMembers(contract, described)
      // Omit the constant that repeats the HTTP status.
      .filter(([, member]) => member.const === undefined)
      .map(([member, each]) => toComponent(contract, schema, member, each, required.has(member))),
    ...(hasHandle ? [HANDLE] : []),
  ];
  const tags = components.map(({ member, doc }) => `@param ${member} ${doc}`);
  const list = components.map(({ member, type, isNullable }) => `${isNullable ? "@Nullable " : ""}${type} ${member}`);
  const body = [
    ...(isRead ? [renderChecks(name, components)] : []),
    ...(shown.length === components.length ? [] : [renderToString(name, shown)]),
  ];
  const imports = [
    ...new Set(components.flatMap(({ type }) => IMPORTS[type] ?? [])),
    ...(components.some(({ isNullable }) => isNullable) ? ["jakarta.annotation.Nullable"] : []),
    ...(isRead ? ["com.fasterxml.jackson.annotation.JsonIgnoreProperties", "java.util.Objects"] : []),
    ...(hasHandle ? [`${PACKAGE}.BrowserHandle`, `${PACKAGE}.BrowserMethods`] : []),
  ];
  const doc = toJavadoc(described.description ?? name, "", tags);
  const annotation = isRead ? "@JsonIgnoreProperties(ignoreUnknown = true)\n" : "";
  const methods = hasHandle ? "\n    implements BrowserMethods" : "";
  const rest = body.length === 0 ? "{}" : `{\n${body.join("")}}`;
  return toSource(
    imports,
    `${doc}${annotation}public record ${name}(\n    ${list.join(",\n    ")})${methods} ${rest}\n`,
  );
}

function toComponent(
  contract: Contract,
  schema: string,
  member: string,
  described: DescribedSchema,
  isRequired: boolean,
): Component {
  const types = [described, ...(described.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const prose = (described.description ?? member).trim();
  const description = described.format === "byte" ? `${prose} ${DECODED}` : prose;
  return {
    member,
    type: toType(contract, `${schema}.${member}`, described),
    isNullable: !isRequired || types.includes("null"),
    doc: isRequired ? description : `${description} ${ABSENT}`,
  };
}

function renderChecks(name: string, components: readonly Component[]): string {
  const checks = components
    .filter(({ isNullable }) => !isNullable)
    .map(({ member }) => `    Objects.requireNonNull(${member}, "${member}");\n`);
  return `
  /** Refuses null for a member that every service sends. */
  public ${name} {
${checks.join("")}  }
`;
}
