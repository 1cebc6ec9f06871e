import type { Contract } from "../../../openapi/scripts/contract.ts";
import { type DescribedSchema, referenceOf, schemaOf } from "../described-schema.ts";

/** The parts of a schema that the Go renderers read, with references resolved. */
export type GoSchema = {
  readonly description: string;
  /** `string`, `boolean`, `number`, `integer`, `array` or `object`. */
  readonly type: string;
  readonly format?: string;
  readonly isNullable: boolean;
  /** The schema's name, if it is a reference. */
  readonly name?: string;
  readonly const?: unknown;
  readonly items?: GoSchema;
  readonly members: ReadonlyMap<string, GoSchema & { readonly isRequired: boolean }>;
};

/** @throws {Error} When the contract has no such schema. */
export function readGoSchema(contract: Contract, name: string): GoSchema {
  return toGoSchema(contract, { $ref: `#/components/schemas/${name}` });
}

/** Reads a schema inside another one. */
export function toGoSchema(contract: Contract, raw: DescribedSchema): GoSchema {
  if (raw.anyOf !== undefined) {
    const other = raw.anyOf.find(({ type }) => type !== "null") ?? {};
    return { ...toGoSchema(contract, other), ...describe(raw), isNullable: true };
  }
  const name = referenceOf(raw);
  if (name !== undefined) return { ...toGoSchema(contract, schemaOf(contract, name)), ...describe(raw), name };
  const types = [raw.type ?? "object"].flat();
  const members = Object.entries(raw.properties ?? {}).map(([member, schema]) => {
    const isRequired = raw.required?.includes(member) ?? false;
    return [member, { ...toGoSchema(contract, schema), isRequired }] as const;
  });
  return {
    description: raw.description ?? "",
    type: types.find((type) => type !== "null") ?? "object",
    isNullable: types.includes("null"),
    members: new Map(members),
    ...(raw.format === undefined ? {} : { format: raw.format }),
    ...(raw.const === undefined ? {} : { const: raw.const }),
    ...(raw.items === undefined ? {} : { items: toGoSchema(contract, raw.items) }),
  };
}

function describe({ description }: DescribedSchema): { readonly description?: string } {
  return description === undefined ? {} : { description };
}
