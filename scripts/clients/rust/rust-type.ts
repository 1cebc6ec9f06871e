import { type Contract, resolve, toSchemaName, type Reference } from "../../../openapi/scripts/contract.ts";

type TypedSchema = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: unknown;
  readonly format?: string;
  readonly properties?: unknown;
  readonly items?: TypedSchema | Reference;
  readonly anyOf?: readonly (TypedSchema | Reference)[];
};

const TYPES: Readonly<Record<string, string>> = { boolean: "bool", integer: "i32", number: "f64", string: "String" };
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "chrono::DateTime<chrono::FixedOffset>",
  int64: "i64",
  byte: "Vec<u8>",
};
const VALUE = "serde_json::Value";

/**
 * Returns a pattern for the Rust type of a member, which must hold every value of the schema and allow leaving it out.
 */
export function rustTypeOf(contract: Contract, schema: TypedSchema | Reference, isRequired: boolean): RegExp {
  const { type, mayBeNull } = innerType(contract, schema);
  const options = Number(!isRequired) + Number(mayBeNull);
  return new RegExp(`^${"Option<".repeat(options)}(Box<)?${type}>{${options},${options + 1}}$`);
}

function innerType(contract: Contract, schema: TypedSchema | Reference): { type: string; mayBeNull: boolean } {
  const typed = resolve<TypedSchema>(contract, schema);
  const branches = typed.anyOf?.filter((branch) => resolve<TypedSchema>(contract, branch).type !== "null") ?? [];
  const [branch] = branches;
  if (branch !== undefined && branches.length === 1) return { ...innerType(contract, branch), mayBeNull: true };
  const types = [typed.type ?? []].flat();
  const type = types.find((name) => name !== "null");
  const mayBeNull = type === undefined || types.includes("null");
  if ("$ref" in schema && (typed.properties !== undefined || typed.enum !== undefined)) {
    return { type: `models::${toSchemaName(schema)}`, mayBeNull };
  }
  // It has its own type, with one variant.
  if (typed.const !== undefined) return { type: String.raw`\w+`, mayBeNull };
  if (type === "array")
    return { type: `Vec<${typed.items === undefined ? VALUE : innerType(contract, typed.items).type}>`, mayBeNull };
  return { type: FORMATS[typed.format ?? ""] ?? TYPES[type ?? ""] ?? VALUE, mayBeNull };
}
