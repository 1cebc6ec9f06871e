import { type Contract, resolve } from "../../../openapi/scripts/contract.ts";
import { listFailures } from "../../../openapi/scripts/failures.ts";
import { type OperationRow, toOperationTable } from "../../../openapi/scripts/operation-table.ts";
import { type DescribedSchema, referenceOf, toSnakeCase } from "../described-schema.ts";

/** Returns a sentence for each operation, schema, member, enum value and error that a generated crate lacks. */
export function findLosses(contract: Contract, files: ReadonlyMap<string, string>): string[] {
  const crate = readCrate(files);
  const operations = Object.entries(toOperationTable(contract));
  const schemas = Object.entries(contract.components.schemas);
  return [
    ...operations.flatMap(([id, row]) => lossesOfOperation(contract, crate, id, row)),
    ...schemas.flatMap(([name, schema]) => lossesOfSchema(contract, crate, name, schema)),
    ...[...crate.structs]
      .filter(([, fields]) => fields.size === 0)
      .filter(([name]) => !NOT_OF_THE_CONTRACT.has(name))
      .map(([name]) => `The struct ${name} has no fields, so it can't hold any data.`),
  ];
}

/** Structs that the crate uses internally and never sends, and whose fields have no JSON names. */
const NOT_OF_THE_CONTRACT = new Set(["Configuration", "ApiKey", "ResponseContent"]);

function lossesOfOperation(contract: Contract, crate: Crate, id: string, row: OperationRow): string[] {
  const parameters = crate.functions.get(toSnakeCase(id));
  if (parameters === undefined) return [`The operation ${id} has no function.`];
  const body = row.requestSchema === null ? undefined : `models::${row.requestSchema}`;
  const wanted = body === undefined || row.isBodyRequired ? body : `Option<${body}>`;
  const errors = crate.enums.get(`${id.charAt(0).toUpperCase()}${id.slice(1)}Error`) ?? "";
  const schemaOf = new Map(listFailures(contract).map(({ name, schema }) => [name, schema]));
  return [
    ...(wanted === undefined || parameters.includes(`: ${wanted}`)
      ? []
      : [`The operation ${id} does not take ${wanted}.`]),
    ...row.failures
      .filter((failure) => !errors.includes(`(models::${schemaOf.get(failure)})`))
      .map((failure) => `The operation ${id} can't fail with ${failure}.`),
  ];
}

function lossesOfSchema(contract: Contract, crate: Crate, name: string, schema: DescribedSchema): string[] {
  const { enum: values, properties, required = [] } = schema;
  if (values !== undefined) return lossesOfEnum(crate, name, values);
  if (properties === undefined) return [];
  const fields = crate.structs.get(name);
  if (fields === undefined) return [`The schema ${name} has no struct.`];
  return Object.entries(properties).flatMap(([member, type]) => {
    const field = fields.get(member);
    if (field === undefined) return [`${name} has no field for ${member}.`];
    const wanted = rustTypeOf(contract, type, required.includes(member));
    return wanted.test(field) ? [] : [`${name} has ${member} as ${field}, not as ${wanted.source}.`];
  });
}

function lossesOfEnum(crate: Crate, name: string, values: readonly unknown[]): string[] {
  const variants = crate.enums.get(name);
  if (variants === undefined) return [`The schema ${name} has no enum.`];
  return values
    .filter((value) => !variants.includes(`= ${String(value)},`))
    .map((value) => `${name} has no value ${String(value)}.`);
}

/** The declarations in a generated crate's sources. */
type Crate = {
  /** Each struct's fields: Rust types, keyed by JSON name. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The variants of each enum, as in the source. */
  readonly enums: ReadonlyMap<string, string>;
  /** The parameters of each function, as in the source. */
  readonly functions: ReadonlyMap<string, string>;
};

function readCrate(files: ReadonlyMap<string, string>): Crate {
  const sources = [...files].filter(([path]) => path.startsWith("src/")).map(([, text]) => text);
  const find = (pattern: RegExp): (readonly [string, string])[] =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = "", body = ""]) => [name, body] as const));
  const structs = find(/^pub struct (\w+) \{\n([^]*?)^\}/gm);
  return {
    structs: new Map(structs.map(([name, body]) => [name, readFields(body)])),
    enums: new Map(find(/^pub enum (\w+) \{\n([^]*?)^\}/gm)),
    functions: new Map(find(/^pub async fn (\w+)\((.*)\) ->/gm)),
  };
}

function readFields(body: string): ReadonlyMap<string, string> {
  const fields = [...body.matchAll(/#\[serde\(rename = "([^"]+)".*\)\]\n\s*pub [\w#]+: (.+),/g)];
  return new Map(fields.map(([, name = "", type = ""]) => [name, type]));
}

const TYPES: Readonly<Record<string, string>> = { boolean: "bool", integer: "i32", number: "f64", string: "String" };
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "chrono::DateTime<chrono::FixedOffset>",
  int64: "i64",
  byte: "Vec<u8>",
};
const VALUE = "serde_json::Value";

/** Returns a pattern for a member's Rust type. The type must allow all schema values, and `None` if optional. */
function rustTypeOf(contract: Contract, schema: DescribedSchema, isRequired: boolean): RegExp {
  const { type, mayBeNull } = innerType(contract, schema);
  const options = Number(!isRequired) + Number(mayBeNull);
  return new RegExp(`^${"Option<".repeat(options)}(Box<)?${type}>{${options},${options + 1}}$`);
}

function innerType(contract: Contract, schema: DescribedSchema): { type: string; mayBeNull: boolean } {
  const typed = resolve<DescribedSchema>(contract, schema);
  const branches = typed.anyOf?.filter((branch) => resolve<DescribedSchema>(contract, branch).type !== "null") ?? [];
  const [branch] = branches;
  if (branch !== undefined && branches.length === 1) return { ...innerType(contract, branch), mayBeNull: true };
  const types = [typed.type ?? []].flat();
  const type = types.find((name) => name !== "null");
  const mayBeNull = type === undefined || types.includes("null");
  const name = referenceOf(schema);
  if (name !== undefined && (typed.properties !== undefined || typed.enum !== undefined)) {
    return { type: `models::${name}`, mayBeNull };
  }
  // A constant becomes an enum with one variant.
  if (typed.const !== undefined) return { type: String.raw`\w+`, mayBeNull };
  if (type === "array") {
    return { type: `Vec<${typed.items === undefined ? VALUE : innerType(contract, typed.items).type}>`, mayBeNull };
  }
  return { type: FORMATS[typed.format ?? ""] ?? TYPES[type ?? ""] ?? VALUE, mayBeNull };
}
