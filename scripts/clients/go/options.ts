import type { Contract } from "../../../openapi/scripts/contract.ts";
import { listOptionSchemas, requestOf, withOptions } from "../options-table.ts";
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

const DURATION_PROSE = "Given as a [time.Duration]; the service gets it in seconds.";

/** Renders Go structs for options, in which nil means omitted, and functions that convert them to core models. */
export function renderGoOptions(original: Contract): string {
  const contract = withOptions(original);
  const objects = [...listOptionSchemas(contract)].filter(([, { properties }]) => properties !== undefined);
  const structs = objects.map(([name]) => readGoSchema(contract, name));
  const declarations = structs.flatMap((schema) => [renderStruct(contract, schema), renderConversion(schema)]);
  return toGoFile(["time", "", GO_CORE], [...declarations, ...renderKinds(contract)]);
}

function renderStruct(contract: Contract, schema: GoSchema): string {
  const fields = [...schema.members].map(([member, field]) => {
    const prose = isSeconds(member) ? `${field.description.trim()}\n\n${DURATION_PROSE}` : field.description;
    return `${toGoComment(contract, prose, "\t")}\n\t${toGoField(member)} ${toGoType(member, field)}\n`;
  });
  const comment = toGoComment(contract, `${schema.name}: ${toClause(schema.description)}`);
  return `${comment}\ntype ${schema.name} struct {\n${fields.join("\n")}}`;
}

function toGoType(
  member: string,
  { type, format, name, items, isRequired }: GoSchema & { isRequired: boolean },
): string {
  if (type === "array" && items?.type === "string") return "[]string";
  const moment = format === "date-time" ? "time.Time" : undefined;
  const plain = moment ?? name ?? { string: "string", boolean: "bool", number: "float64", integer: "int" }[type];
  if (plain === undefined) throw new Error(`There is no Go type for ${member}, which is of type ${type}.`);
  return `${isRequired ? "" : "*"}${isSeconds(member) ? "time.Duration" : plain}`;
}

function renderConversion(schema: GoSchema): string {
  const members = [...schema.members];
  const required = members
    .filter(([, { isRequired }]) => isRequired)
    .map(([member, field]) => `${toCoreField(member)}: ${toCoreValue(field, `o.${toGoField(member)}`)}`);
  const optional = members
    .filter(([, { isRequired }]) => !isRequired)
    .map(
      ([member, field]) => `	if o.${toGoField(member)} != nil {
		model.${toCoreField(member)} = ${toGivenPointer(member, field)}
	}
`,
    );
  const model = `generated.${requestOf(schema.name ?? "")}`;
  return `// toCore is what is sent: nothing for what was left out.
func (o *${schema.name}) toCore() ${model} {
	model := ${model}{${required.join(", ")}}
${optional.join("")}	return model
}`;
}

/** Renders a pointer to the value of an optional member that is set. */
function toGivenPointer(member: string, field: GoSchema): string {
  const given = `o.${toGoField(member)}`;
  if (isSeconds(member)) return `Ptr(${given}.Seconds())`;
  if (field.type === "object") return `Ptr(${given}.toCore())`;
  if (field.type === "array") return `&${given}`;
  return field.type === "integer" ? `Ptr(${toCoreValue(field, `*${given}`)})` : given;
}

/** Converts a value to the core's type. Types of numbers differ from the client's. */
function toCoreValue({ type, format, name }: GoSchema, value: string): string {
  if (type === "object") return `${value}.toCore()`;
  if (name !== undefined) return `generated.${name}(${value})`;
  return type === "integer" ? `${format === "int64" ? "int64" : "toInt32"}(${value})` : value;
}

function renderKinds(contract: Contract): string[] {
  const name = "SupportedBrowser";
  const { description } = readGoSchema(contract, name);
  const raw = contract.components.schemas[name] as { enum?: readonly number[]; "x-enum-varnames"?: readonly string[] };
  const values = raw.enum ?? [];
  const names = raw["x-enum-varnames"] ?? [];
  if (names.length !== values.length) throw new Error(`${name} needs an x-enum-varnames for each of its values.`);
  const width = Math.max(...names.map((kind) => kind.length));
  const constants = names.map((kind, index) => `\t${kind.padEnd(width)} ${name} = ${values[index]}\n`);
  return [
    `${toGoComment(contract, `${name}: ${toClause(description)}`)}\ntype ${name} int32`,
    `// The kinds of browsers that [OpenOptions] can ask for.\nconst (\n${constants.join("")})`,
  ];
}
