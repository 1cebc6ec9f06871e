import type { Contract } from "../../../openapi/scripts/contract.ts";
import { GO_CORE, toGoFile } from "./file.ts";
import { toCoreField, toGoField } from "./name.ts";
import { toClause, toGoComment } from "./prose.ts";
import { type GoSchema, readGoSchema } from "./schema.ts";

/** The response schemas that callers see, by their names in the Go client. */
const ANSWERS: ReadonlyMap<string, string> = new Map([
  ["Session", "Session"],
  ["StartRemoteDesktopResult", "Desktop"],
]);

/**
 * Renders Go structs for responses, and functions that convert the core's models to them and check for missing members.
 */
export function renderGoAnswers(contract: Contract): string {
  const declarations = [...ANSWERS].flatMap(([schemaName, goName]) => {
    const schema = readGoSchema(contract, schemaName);
    // Leave out the constant that repeats the HTTP status.
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

/** The core accepts null for members that are never null, so check that they are not empty. */
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
  if (type !== "string") throw new Error(`There is no Go type for ${member}, which is of type ${type}.`);
  return `${isNullable ? "*" : ""}${format === "date-time" ? "time.Time" : "string"}`;
}
