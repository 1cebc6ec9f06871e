import type { Contract } from "../../../openapi/scripts/contract.ts";
import { DECODED } from "../described-schema.ts";
import {
  GO_CORE,
  type GoSchema,
  isSeconds,
  readGoSchema,
  toClause,
  toCoreField,
  toGoComment,
  toGoField,
  toGoFile,
} from "./source.ts";

type Answer = {
  /** The name in the Go client. */
  readonly name: string;
  /** A field that the client sets itself, in Go. */
  readonly own?: string;
};

/** The response schemas that are part of the client's API. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  Session: { name: "Session", own: "\t// What its methods act on.\n\tbrowser *Browser\n" },
  StartRemoteDesktopResult: { name: "Desktop" },
  BrowserRecord: { name: "BrowserRecord" },
  AccountInfo: { name: "AccountInfo" },
  Screenshot: { name: "Screenshot" },
};

type Member = GoSchema & { readonly isRequired: boolean };
type Members = readonly (readonly [string, Member])[];

/**
 * Renders Go structs for responses, and functions that convert the core's models to them and check for missing members.
 */
export function renderGoAnswers(contract: Contract): string {
  const declarations = Object.entries(ANSWERS).flatMap(([schemaName, answer]) => {
    if (contract.components.schemas[schemaName] === undefined) return [];
    const schema = readGoSchema(contract, schemaName);
    // Omit the constant that repeats the HTTP status.
    const members = [...schema.members].filter(([, member]) => member.const === undefined);
    return [
      renderStruct(contract, answer, schema.description, members),
      renderConversion(answer.name, schemaName, members),
    ];
  });
  return toGoFile(["errors", "time", "", GO_CORE], declarations);
}

const ABSENT = "A service of an earlier version does not send it, and then it is";

function renderStruct(contract: Contract, { name, own }: Answer, description: string, members: Members): string {
  const fields = members.map(([member, schema]) => {
    const zero = isPlain(schema) ? "empty" : "`null`";
    const notes = [
      ...(schema.format === "byte" ? [DECODED] : []),
      ...(schema.isRequired ? [] : [`${ABSENT} ${zero}.`]),
    ];
    const prose = [schema.description.trim(), ...notes].join("\n\n");
    return `${toGoComment(contract, prose, "\t")}\n\t${toGoField(member)} ${toGoType(member, schema)}\n`;
  });
  const all = own === undefined ? fields : [...fields, own];
  return `${toGoComment(contract, `${name}: ${toClause(description)}`)}\ntype ${name} struct {\n${all.join("\n")}}`;
}

function renderConversion(goName: string, schemaName: string, members: Members): string {
  const assignments = members.map(([member, schema]) => renderAssignment(member, schema));
  return `func to${goName}(model *generated.${schemaName}) (${goName}, error) {
	var answer ${goName}
${assignments.join("")}	return answer, nil
}`;
}

function renderAssignment(member: string, schema: Member): string {
  const field = `answer.${toGoField(member)}`;
  const value = `model.${toCoreField(member)}`;
  if (schema.format === "byte") return renderDecoding(member, schema, value);
  if (schema.isNullable) return `\t${field} = ${toPointer(member, schema, value)}\n`;
  if (!schema.isRequired) {
    return `\t${field} = ${isPlain(schema) ? `orZero(${value})` : toPointer(member, schema, value)}\n`;
  }
  const assignment = `\t${field} = ${toValue(member, schema, value)}\n`;
  // The core also accepts null for members that are never null, so check that they aren't empty.
  const isEmpty = schema.format === "date-time" ? ".IsZero()" : schema.type === "string" ? ' == ""' : undefined;
  if (isEmpty === undefined) return assignment;
  return `${assignment}\tif ${field}${isEmpty} {
		return answer, errors.New("it has no ${member}")
	}
`;
}

/** @throws {Error} For a member that may be missing or null, which isn't supported yet. */
function renderDecoding(member: string, { isRequired, isNullable }: Member, value: string): string {
  if (!isRequired || isNullable) throw new Error(`${member} is in Base64, and may be missing.`);
  return `	${member}, err := toBytes("${member}", ${value})
	if err != nil {
		return answer, err
	}
	answer.${toGoField(member)} = ${member}
`;
}

/** Converts the core's pointer to the client's. */
function toPointer(member: string, schema: Member, value: string): string {
  if (isSeconds(member)) return `toDuration(${value})`;
  const isOther = schema.type === "integer" && schema.format !== "int64";
  return isOther ? `toPointer[${toPlainType(member, schema)}](${value})` : value;
}

function toValue(member: string, schema: Member, value: string): string {
  if (isSeconds(member)) return `*toDuration(&${value})`;
  return schema.type === "integer" && schema.format !== "int64" ? `${toPlainType(member, schema)}(${value})` : value;
}

/** Whether the type has an empty value for a missing member. */
function isPlain({ type, format, isNullable }: Member): boolean {
  return !isNullable && (type === "array" || (type === "string" && format !== "date-time"));
}

function toGoType(member: string, schema: Member): string {
  const isPointer = schema.isNullable || (!schema.isRequired && !isPlain(schema));
  return `${isPointer ? "*" : ""}${toPlainType(member, schema)}`;
}

/** @throws {Error} When the member's type isn't supported yet. */
function toPlainType(member: string, { type, format, items, name }: GoSchema): string {
  if (isSeconds(member)) return "time.Duration";
  if (format === "byte") return "[]byte";
  if (type === "string") return format === "date-time" ? "time.Time" : "string";
  if (type === "array" && items?.type === "string") return "[]string";
  if (type === "integer") return name ?? (format === "int64" ? "int64" : "int");
  const plain = { boolean: "bool", number: "float64" }[type];
  if (plain === undefined) throw new Error(`There is no Go type for ${member}, which is of type ${type}.`);
  return plain;
}
