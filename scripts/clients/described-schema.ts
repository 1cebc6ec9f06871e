import { type Contract, type Reference, type Schema, toSchemaName } from "../../openapi/scripts/contract.ts";
import type { ContractFailure } from "../../openapi/scripts/failures.ts";

/** The parts of a schema that renderers read. */
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

/** Returns the schema with a name. @throws {Error} When the contract has no such schema. */
export function schemaOf(contract: Contract, name: string): DescribedSchema {
  const schema = contract.components.schemas[name];
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

/** Returns the name of the schema that a reference points to; undefined for other schemas. */
export function referenceOf({ $ref }: DescribedSchema): string | undefined {
  return $ref === undefined ? undefined : toSchemaName({ $ref });
}

/** Added to the description of a member that clients decode from Base64. */
export const DECODED = "The client decodes it: these are the bytes.";

/** The members of responses that clients may print. All other members may be secrets. */
export const SHOWN = {
  Session: "startedOn label id browser headless tags keepOpen closesOn clients desktop".split(" "),
  BrowserRecord: (
    "id state startedOn endedOn reason units bytesSent bytesReceived label tags browser headless keepOpen closesOn " +
    "clients desktop"
  ).split(" "),
  AccountInfo: "plan parallel open period unitsUsed unitsLeft additionalUnits maxLifetime".split(" "),
  Screenshot: ["type"],
};

/** The members of every error, which each client's hand-written `ApiError` reads. */
const OF_EVERY_ERROR = new Set(["status", "name", "message", "requestId"]);

/** Returns the members that only this error has, in the contract's order. */
export function ownMembers(contract: Contract, { schema }: ContractFailure): [string, DescribedSchema][] {
  return Object.entries(schemaOf(contract, schema).properties ?? {}).filter(([name]) => !OF_EVERY_ERROR.has(name));
}
