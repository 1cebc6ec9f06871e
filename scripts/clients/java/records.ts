import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, schemaOf } from "../described-schema.ts";
import { listMembers, toJavadoc, toSource } from "./source.ts";

/** A response for users, as a Java record. */
type RecordOf = {
  readonly schema: string;
  readonly leaveOut?: readonly string[];
  /** The members that are printed. All others are secrets. */
  readonly shown: readonly string[];
};

const RECORDS: Readonly<Record<string, RecordOf>> = {
  Session: { schema: "Session", shown: ["startedOn", "label"] },
  Desktop: { schema: "StartRemoteDesktopResult", leaveOut: ["status"], shown: [] },
  BadRequestProblem: { schema: "BadRequestProblem", shown: ["path", "message"] },
};

const DATE = "java.time.OffsetDateTime";

/** Renders immutable records for responses, which don't print secrets, by record name. */
export function renderRecords(contract: Contract): ReadonlyMap<string, string> {
  return new Map(Object.entries(RECORDS).map(([name, record]) => [name, renderRecord(contract, name, record)]));
}

function renderRecord(contract: Contract, name: string, { schema, leaveOut = [], shown }: RecordOf): string {
  const described = schemaOf(contract, schema);
  const members = listMembers(contract, described).filter(([member]) => !leaveOut.includes(member));
  const components = members.map(([member, text]) => ({ member, ...toType(`${schema}.${member}`, text), text }));
  const tags = components.map(({ member, text }) => `@param ${member} ${text.description ?? member}`);
  const list = components.map(({ member, type, isNullable }) => `${isNullable ? "@Nullable " : ""}${type} ${member}`);
  const printed = shown.map((member, place) => `${place === 0 ? "" : ", "}${member}=" + ${member} + "`).join("");
  const imports = [
    ...(components.some(({ type }) => type === "OffsetDateTime") ? [DATE] : []),
    ...(components.some(({ isNullable }) => isNullable) ? ["jakarta.annotation.Nullable"] : []),
  ];
  const body =
    shown.length === members.length
      ? " {}"
      : ` {

  /** Leaves out secrets. */
  @Override
  public String toString() {
    return "${name}[${printed}]";
  }
}`;
  const doc = toJavadoc(described.description ?? name, "", tags);
  return toSource(imports, `${doc}public record ${name}(\n    ${list.join(",\n    ")})${body}\n`);
}

/** @throws {Error} When the member is neither a string nor a date. Other types are not supported yet. */
function toType(place: string, { type, format }: DescribedSchema): { type: string; isNullable: boolean } {
  const types = [type].flat();
  if (!types.includes("string")) {
    throw new Error(`${place} is not a string: teach scripts/clients/java/records.ts its type.`);
  }
  return { type: format === "date-time" ? "OffsetDateTime" : "String", isNullable: types.includes("null") };
}
