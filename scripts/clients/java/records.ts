import type { Contract } from "../../../openapi/scripts/contract.ts";
import { DECODED, type DescribedSchema, SHOWN, schemaOf } from "../described-schema.ts";
import { toType } from "./options.ts";
import { listMembers, toJavadoc, toSource } from "./source.ts";

/** A response for users, as a Java record. */
type RecordOf = {
  readonly schema: string;
  readonly leaveOut?: readonly string[];
  /** A component that the client adds, whose interface gives the record its methods. */
  readonly handle?: { readonly type: string; readonly methods: string; readonly doc: string };
  /** Whether the core reads responses into this record, which must then check for missing members itself. */
  readonly isRead?: boolean;
};

const RECORDS: Readonly<Record<string, RecordOf>> = {
  Session: {
    schema: "Session",
    handle: { type: "BrowserHandle", methods: "BrowserMethods", doc: "The handle that the record's methods use." },
  },
  Desktop: { schema: "StartRemoteDesktopResult", leaveOut: ["status"] },
  BadRequestProblem: { schema: "BadRequestProblem" },
  BrowserRecord: { schema: "BrowserRecord", isRead: true },
  AccountInfo: { schema: "AccountInfo", isRead: true },
  // Jackson decodes the picture.
  Screenshot: { schema: "Screenshot", isRead: true },
};

const PACKAGE = "io.github.remotebrowser";
const IMPORTS: Readonly<Record<string, string>> = {
  OffsetDateTime: "java.time.OffsetDateTime",
  "List<String>": "java.util.List",
};

const ABSENT = "Null if the service has an earlier version, which does not send it.";

/** Renders immutable records for responses, which don't print secrets, by record name. */
export function renderJavaRecords(contract: Contract): ReadonlyMap<string, string> {
  return new Map(Object.entries(RECORDS).map(([name, record]) => [name, renderRecord(contract, name, record)]));
}

type Component = {
  readonly member: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly doc: string;
};

function renderRecord(contract: Contract, name: string, record: RecordOf): string {
  const { schema, leaveOut = [], handle, isRead = false } = record;
  const shown = SHOWN[name] ?? [];
  const described = schemaOf(contract, schema);
  const required = new Set(described.required);
  const ofContract = listMembers(contract, described)
    .filter(([member]) => !leaveOut.includes(member))
    .map(([member, each]) => toComponent(contract, `${schema}.${member}`, each, required.has(member)));
  const components = [
    ...ofContract,
    ...(handle === undefined ? [] : [{ member: "handle", type: handle.type, isNullable: false, doc: handle.doc }]),
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
    ...(handle === undefined ? [] : [`${PACKAGE}.${handle.type}`, `${PACKAGE}.${handle.methods}`]),
  ];
  const doc = toJavadoc(described.description ?? name, "", tags);
  const annotation = isRead ? "@JsonIgnoreProperties(ignoreUnknown = true)\n" : "";
  const methods = handle === undefined ? "" : `\n    implements ${handle.methods}`;
  const rest = body.length === 0 ? "{}" : `{\n${body.join("")}}`;
  return toSource(
    imports,
    `${doc}${annotation}public record ${name}(\n    ${list.join(",\n    ")})${methods} ${rest}\n`,
  );
}

function toComponent(contract: Contract, place: string, schema: DescribedSchema, isRequired: boolean): Component {
  const member = place.slice(place.indexOf(".") + 1);
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  const prose = (schema.description ?? member).trim();
  const description = schema.format === "byte" ? `${prose} ${DECODED}` : prose;
  return {
    member,
    type: toType(contract, place, schema),
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

function renderToString(name: string, shown: readonly string[]): string {
  const printed = shown.map((member, place) => `${place === 0 ? "" : ", "}${member}=" + ${member} + "`).join("");
  return `
  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "${name}[${printed}]";
  }
`;
}
