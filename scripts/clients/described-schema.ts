import { type Contract, type Reference, type Schema, toSchemaName } from "../../openapi/scripts/contract.ts";
import type { ContractFailure } from "../../openapi/scripts/failures.ts";

/** A schema with what a writer of types and their prose reads of it. */
export type DescribedSchema = Omit<Schema, "properties"> &
  Partial<Reference> & {
    readonly description?: string;
    readonly type?: string | readonly string[];
    readonly format?: string;
    readonly anyOf?: readonly DescribedSchema[];
    readonly items?: DescribedSchema;
    readonly properties?: Readonly<Record<string, DescribedSchema>>;
    readonly "x-enum-varnames"?: readonly string[];
  };

/**
 * The schema of a name.
 * @throws {Error} When the contract has none.
 */
export function schemaOf(contract: Contract, name: string): DescribedSchema {
  const schema = contract.components.schemas[name];
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

/** The name of the schema that this one points to; undefined when it stands for itself. */
export function referenceOf({ $ref }: DescribedSchema): string | undefined {
  return $ref === undefined ? undefined : toSchemaName({ $ref });
}

/** What every error has: each client's `ApiError`, which is written by hand, reads it. */
const OF_EVERY_ERROR = new Set(["status", "name", "message", "requestId"]);

/** The members that one error alone has, in the contract's order. */
export function ownMembers(contract: Contract, { schema }: ContractFailure): [string, DescribedSchema][] {
  return Object.entries(schemaOf(contract, schema).properties ?? {}).filter(([name]) => !OF_EVERY_ERROR.has(name));
}
