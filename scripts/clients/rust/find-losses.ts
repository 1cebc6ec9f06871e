import type { Contract, Schema } from "../../../openapi/scripts/contract.ts";
import { listFailures } from "../../../openapi/scripts/failures.ts";
import { type OperationRow, toOperationTable } from "../../../openapi/scripts/operation-table.ts";
import { type Crate, readCrate } from "./read-crate.ts";
import { rustTypeOf } from "./rust-type.ts";

/** Returns a sentence for each part of the contract that a generated crate lacks. */
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
      .map(([name]) => `The struct ${name} has no field, so it can hold nothing.`),
  ];
}

/** The crate's connection settings. Their fields have no names in JSON. */
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
      .map((failure) => `The operation ${id} cannot fail with ${failure}.`),
  ];
}

function lossesOfSchema(contract: Contract, crate: Crate, name: string, schema: Schema): string[] {
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
    .map((value) => `${name} has no ${String(value)}.`);
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
