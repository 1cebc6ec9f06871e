import type { Contract } from "../../../openapi/scripts/contract.ts";
import { GO_CORE, toGoFile } from "./file.ts";
import { toCoreField, toGoField } from "./name.ts";
import { toClause, toGoComment } from "./prose.ts";
import { type GoSchema, readGoSchema } from "./schema.ts";

/** Answers that callers get to see, by the name that the Go client gives them. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ["Session", "Session"],
  ["StartRemoteDesktopResult", "Desktop"],
]);

/** Go structs for the answers, and how the core's models become them, or are found wanting. */
export function renderGoAnswers(contract: Contract): string {
  const declarations = [...ANSWERS].flatMap(([schemaName, goName]) => {
    const schema = readGoSchema(contract, schemaName);
    // A constant that repeats the HTTP status is of no use.
    const members = [...schema.members].filter(([, member]) => member.const === undefined);
    return [renderStruct(contract, goName, schema.description, members), renderConversion(goName, schemaName, members)];
  });
  return toGoFile(["errors", "time", "", GO_CORE], declarations);
}

type Members = readonly (readonly [string, GoSchema])[];

function renderStruct(contract: Contract, goName: string, description: string, members: Members): string {
  const fields = members.map(
    ([member, schema]) =>
      `${toGoComment(contract, schema.description, "\t")}\n\t${toGoField(member)} ${toGoType(member, schema)}\n`,
  );
  return `${toGoComment(contract, `${goName}: ${toClause(description)}`)}\ntype ${goName} struct {\n${fields.join("\n")}}`;
}

/** The core takes null for what is never null: nothing that comes out of it may be empty. */
function renderConversion(goName: string, schemaName: string, members: Members): string {
  const assignments = members.map(([member, schema]) => {
    const assignment = `\tanswer.${toGoField(member)} = model.${toCoreField(member)}`;
    if (schema.isNullable) return `${assignment}.Get()\n`;
    const isEmpty = schema.format === "date-time" ? ".IsZero()" : ' == ""';
    return `${assignment}
\tif answer.${toGoField(member)}${isEmpty} {
\t\treturn answer, errors.New("it has no ${member}")
\t}
`;
  });
  return `func to${goName}(model *generated.${schemaName}) (${goName}, error) {
	var answer ${goName}
${assignments.join("")}	return answer, nil
}`;
}

function toGoType(member: string, { type, format, isNullable }: GoSchema): string {
  if (type !== "string") throw new Error(`No Go type stands for ${member}, which is of type ${type}.`);
  return `${isNullable ? "*" : ""}${format === "date-time" ? "time.Time" : "string"}`;
}
