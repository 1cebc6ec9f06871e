import type { Contract } from "../../../openapi/scripts/contract.ts";
import { listKinds, schemaOf } from "../described-schema.ts";
import { listOptionSchemas, requestOf, withOptions } from "../options-table.ts";
import {
  GO_CORE,
  type GoSchema,
  isSeconds,
  readGoSchema,
  toCoreField,
  toGoDeclaration,
  toGoField,
  toGoFile,
  toGoMember,
  toPlainType,
} from "./source.ts";

const DURATION_PROSE = "Given as a [time.Duration]; the service gets it in seconds.";

/** Renders option structs, in which nil means omitted, and functions that convert the structs to the core's models. */
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
    const isPointer = !field.isRequired && field.type !== "array";
    return toGoMember(contract, prose, member, `${isPointer ? "*" : ""}${toPlainType(member, field)}`);
  });
  return toGoDeclaration(contract, schema.name ?? "", schema.description, `struct {\n${fields.join("\n")}}`);
}

function renderConversion({ name = "", members }: GoSchema): string {
  const { required = [], optional = [] } = Object.groupBy(members, ([, { isRequired }]) =>
    isRequired ? "required" : "optional",
  );
  const values = required.map(
    ([member, field]) => `${toCoreField(member)}: ${toCoreValue(field, `o.${toGoField(member)}`)}`,
  );
  const assignments = optional.map(
    ([member, field]) => `	if o.${toGoField(member)} != nil {
		model.${toCoreField(member)} = ${toGivenPointer(member, field)}
	}
`,
  );
  const model = `generated.${requestOf(name)}`;
  return `// toCore is what is sent: nothing for what was left out.
func (o *${name}) toCore() ${model} {
	model := ${model}{${values.join(", ")}}
${assignments.join("")}	return model
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

/** Converts a value to the type that the core uses, whose number types differ from the client's. */
function toCoreValue({ type, format, name }: GoSchema, value: string): string {
  if (type === "object") return `${value}.toCore()`;
  if (name !== undefined) return `generated.${name}(${value})`;
  return type === "integer" ? `${format === "int64" ? "int64" : "toInt32"}(${value})` : value;
}

function renderKinds(contract: Contract): string[] {
  const name = "SupportedBrowser";
  const schema = schemaOf(contract, name);
  const kinds = listKinds(name, schema);
  const width = Math.max(...kinds.map(([kind]) => kind.length));
  const constants = kinds.map(([kind, value]) => `\t${kind.padEnd(width)} ${name} = ${value}\n`);
  return [
    toGoDeclaration(contract, name, schema.description ?? "", "int32"),
    `// The kinds of browsers that [OpenOptions] can ask for.\nconst (\n${constants.join("")})`,
  ];
}
