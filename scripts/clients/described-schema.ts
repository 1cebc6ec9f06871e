import { type Contract, type Reference, type Schema, toSchemaName } from "../../openapi/scripts/contract.ts";
import type { ContractFailure } from "../../openapi/scripts/failures.ts";

/** The keywords of a schema that the renderers read. */
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

/** Returns a schema of the contract. @throws {Error} If the contract has no such schema. */
export function schemaOf(contract: Contract, name: string): DescribedSchema {
  const schema = contract.components.schemas[name];
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

/** Returns the schema name in a reference. Returns undefined for a schema that isn't a reference. */
export function referenceOf({ $ref }: DescribedSchema): string | undefined {
  return $ref === undefined ? undefined : toSchemaName({ $ref });
}

/** Lists the names of the schemas that a schema, its items and its variants reference. */
export function namesIn(schema: DescribedSchema): string[] {
  const name = referenceOf(schema);
  if (name !== undefined) return [name];
  return [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].flatMap(namesIn);
}

/** Converts `keepOpen` to `keep_open`. */
export function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
}

/** Returns the names and values of a numeric enum. @throws {Error} If a value has no name. */
export function listKinds(name: string, schema: DescribedSchema): [string, number][] {
  const { enum: values = [], "x-enum-varnames": names = [] } = schema;
  if (names.length !== values.length) throw new Error(`${name} does not name each of its numbers (x-enum-varnames).`);
  return names.map((kind, index) => [kind, Number(values[index])]);
}

/** The sentence added to the descriptions of members that the clients decode from Base64. */
export const DECODED = "The client decodes it to bytes.";

/**
 * Describes a response member, with notes about decoding and earlier versions.
 * @param empty The member's value if the service doesn't send it.
 */
export function describeAnswer(prose: string, format: string | undefined, isRequired: boolean, empty: string): string {
  const notes = [
    ...(format === "byte" ? [DECODED] : []),
    ...(isRequired ? [] : [`Earlier versions of the service do not send it: it is then ${empty}.`]),
  ];
  return [prose.trim(), ...notes].join("\n\n");
}

/** The response members that clients may print. All other members may be secrets. */
export const SHOWN: Readonly<Record<string, readonly string[]>> = {
  Session: "startedOn label id browser headless tags keepOpen closesOn clients desktop".split(" "),
  BrowserRecord: (
    "id state startedOn endedOn reason units bytesSent bytesReceived label tags browser headless keepOpen closesOn " +
    "clients desktop"
  ).split(" "),
  AccountInfo: "plan parallel open period unitsUsed unitsLeft additionalUnits maxLifetime".split(" "),
  Screenshot: ["type"],
  BadRequestProblem: ["path", "message"],
};

/** The members that all errors have. Each client's hand-written `ApiError` reads these members. */
const OF_EVERY_ERROR = new Set(["status", "name", "message", "requestId"]);

/** Returns the members that only this error has, in the contract's order. */
export function ownMembers(contract: Contract, { schema }: ContractFailure): [string, DescribedSchema][] {
  return Object.entries(schemaOf(contract, schema).properties ?? {}).filter(([name]) => !OF_EVERY_ERROR.has(name));
}
