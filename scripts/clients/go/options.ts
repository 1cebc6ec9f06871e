import type { Contract } from "../../../openapi/scripts/contract.ts";
import { GO_CORE, toGoFile } from "./file.ts";
import { toClause, toGoComment } from "./prose.ts";
import { type GoSchema, readGoSchema } from "./schema.ts";

// Members in seconds, for which Go has a type.
const DURATIONS = new Set(["KeepOpen"]);
const DURATION_PROSE = "Given as a [time.Duration]; the service gets it in seconds.";

/**
 * Renders Go structs for Open's options, in which nil means left out, and functions that convert them to the core's
 * models.
 */
export function renderGoOptions(contract: Contract): string {
  const structs = listStructs(contract, "OpenOptions");
  const declarations = structs.flatMap((schema) => [renderStruct(contract, schema), renderConversion(schema)]);
  return toGoFile(["time", "", GO_CORE], [...declarations, ...renderKinds(contract)]);
}

/** A schema and the objects that its members refer to, without duplicates. */
function listStructs(contract: Contract, name: string, found = new Map<string, GoSchema>()): readonly GoSchema[] {
  const schema = readGoSchema(contract, name);
  found.set(name, schema);
  for (const { type, name: other } of schema.members.values()) {
    if (type === "object" && other !== undefined && !found.has(other)) listStructs(contract, other, found);
  }
  return [...found.values()];
}

function renderStruct(contract: Contract, schema: GoSchema): string {
  const fields = [...schema.members].map(([member, field]) => {
    const prose = DURATIONS.has(member) ? `${field.description.trim()}\n\n${DURATION_PROSE}` : field.description;
    return `${toGoComment(contract, prose, "\t")}\n\t${member} ${toGoType(member, field)}\n`;
  });
  const comment = toGoComment(contract, `${schema.name}: ${toClause(schema.description)}`);
  return `${comment}\ntype ${schema.name} struct {\n${fields.join("\n")}}`;
}

function toGoType(member: string, { type, name, items, isRequired }: GoSchema & { isRequired: boolean }): string {
  if (type === "array" && items?.type === "string") return "[]string";
  const plain = name ?? { string: "string", boolean: "bool", number: "float64", integer: "int" }[type];
  if (plain === undefined) throw new Error(`There is no Go type for ${member}, which is of type ${type}.`);
  return `${isRequired ? "" : "*"}${DURATIONS.has(member) ? "time.Duration" : plain}`;
}

function renderConversion(schema: GoSchema): string {
  const members = [...schema.members];
  const required = members.filter(([, { isRequired }]) => isRequired).map(([member]) => `o.${member}`);
  const optional = members
    .filter(([, { isRequired }]) => !isRequired)
    .map(
      ([member, field]) => `	if o.${member} != nil {
		${field.type === "array" ? `model.${member} = o.${member}` : `model.Set${member}(${toCoreValue(member, field)})`}
	}
`,
    );
  return `// toCore is what is sent: nothing for what was left out.
func (o *${schema.name}) toCore() generated.${schema.name} {
	model := generated.New${schema.name}(${required.join(", ")})
${optional.join("")}	return *model
}`;
}

function toCoreValue(member: string, { type, name }: GoSchema): string {
  if (DURATIONS.has(member)) return `o.${member}.Seconds()`;
  if (name === undefined) return `*o.${member}`;
  return type === "object" ? `o.${member}.toCore()` : `generated.${name}(*o.${member})`;
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
