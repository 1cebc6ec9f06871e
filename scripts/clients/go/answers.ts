import type { Contract } from "../../../openapi/scripts/contract.ts";
import { describeAnswer } from "../described-schema.ts";
import {
  GO_CORE,
  type GoMember,
  isSeconds,
  readGoSchema,
  toCoreField,
  toGoDeclaration,
  toGoField,
  toGoFile,
  toGoMember,
  toPlainType,
} from "./source.ts";

/** The response schemas that are part of the client's API, with their names in Go. */
const ANSWERS = {
  Session: "Session",
  StartRemoteDesktopResult: "Desktop",
  BrowserRecord: "BrowserRecord",
  AccountInfo: "AccountInfo",
  Screenshot: "Screenshot",
};

/** The field of a Session that the client sets itself. */
const BROWSER = "\t// What its methods act on.\n\tbrowser *Browser\n";

type Members = readonly (readonly [string, GoMember])[];

/**
 * Renders structs for responses, and functions that convert the core's models to them and check for missing members.
 */
export function renderGoAnswers(contract: Contract): string {
  const declarations = Object.entries(ANSWERS).flatMap(([schemaName, name]) => {
    if (contract.components.schemas[schemaName] === undefined) return [];
    const schema = readGoSchema(contract, schemaName);
    // Omit the constant that repeats the HTTP status.
    const members = [...schema.members].filter(([, member]) => member.const === undefined);
    return [renderStruct(contract, name, schema.description, members), renderConversion(name, schemaName, members)];
  });
  return toGoFile(["errors", "time", "", GO_CORE], declarations);
}

function renderStruct(contract: Contract, name: string, description: string, members: Members): string {
  const fields = members.map(([member, schema]) => {
    const empty = isPlain(schema) ? "empty" : "`null`";
    const prose = describeAnswer(schema.description, schema.format, schema.isRequired, empty);
    const type = `${isPointer(schema) ? "*" : ""}${toPlainType(member, schema)}`;
    return toGoMember(contract, prose, member, type);
  });
  const all = name === "Session" ? [...fields, BROWSER] : fields;
  return toGoDeclaration(contract, name, description, `struct {\n${all.join("\n")}}`);
}

function renderConversion(goName: string, schemaName: string, members: Members): string {
  const assignments = members.map(([member, schema]) => renderAssignment(member, schema));
  return `func to${goName}(model *generated.${schemaName}) (${goName}, error) {
	var answer ${goName}
${assignments.join("")}	return answer, nil
}`;
}

function renderAssignment(member: string, schema: GoMember): string {
  const field = `answer.${toGoField(member)}`;
  const value = `model.${toCoreField(member)}`;
  if (schema.format === "byte") return renderDecoding(member, schema, value);
  if (isPointer(schema)) return `\t${field} = ${toPointer(member, schema, value)}\n`;
  if (!schema.isRequired) return `\t${field} = orZero(${value})\n`;
  const assignment = `\t${field} = ${toValue(member, schema, value)}\n`;
  // The core accepts null for every member, so check that non-nullable members aren't empty.
  const isEmpty = schema.format === "date-time" ? ".IsZero()" : schema.type === "string" ? ' == ""' : undefined;
  if (isEmpty === undefined) return assignment;
  return `${assignment}\tif ${field}${isEmpty} {
		return answer, errors.New("it has no ${member}")
	}
`;
}

/** @throws {Error} If the member may be missing or null, which isn't supported yet. */
function renderDecoding(member: string, { isRequired, isNullable }: GoMember, value: string): string {
  if (!isRequired || isNullable) throw new Error(`${member} is in Base64, and may be missing.`);
  return `	${member}, err := toBytes("${member}", ${value})
	if err != nil {
		return answer, err
	}
	answer.${toGoField(member)} = ${member}
`;
}

/** Renders the conversion of a pointer from the core's type to the client's. */
function toPointer(member: string, schema: GoMember, value: string): string {
  if (isSeconds(member)) return `toDuration(${value})`;
  return isInt32(schema) ? `toPointer[${toPlainType(member, schema)}](${value})` : value;
}

function toValue(member: string, schema: GoMember, value: string): string {
  if (isSeconds(member)) return `*toDuration(&${value})`;
  return isInt32(schema) ? `${toPlainType(member, schema)}(${value})` : value;
}

/** Whether the core's type for the number differs from the client's. */
function isInt32({ type, format }: GoMember): boolean {
  return type === "integer" && format !== "int64";
}

function isPointer(schema: GoMember): boolean {
  return schema.isNullable || (!schema.isRequired && !isPlain(schema));
}

/** Whether an empty value of the type can represent a missing member. */
function isPlain({ type, format, isNullable }: GoMember): boolean {
  return !isNullable && (type === "array" || (type === "string" && format !== "date-time"));
}
