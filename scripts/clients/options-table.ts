import type { Contract } from "../../openapi/scripts/contract.ts";
import { type DescribedSchema, namesIn, schemaOf } from "./described-schema.ts";

/** The options of the clients' methods. */
const OPTIONS = ["OpenOptions", "UpdateOptions", "HistoryOptions"] as const;

/** Options that contain only some members of a request. The clients add the other members. */
const PARTS: Readonly<Record<string, { request: string; leaveOut: readonly string[]; description: string }>> = {
  UpdateOptions: {
    request: "UpdateRequest",
    leaveOut: ["address", "id"],
    description:
      "The new values of a browser. A value that is omitted or `null` stays as it is. Without any new value, the call fails with `BadRequest`.",
  },
  HistoryOptions: {
    request: "HistoryRequest",
    leaveOut: ["limit", "cursor"],
    description: "Which browsers in the history to list. Every member may be omitted or `null`, which means the same.",
  },
};

/** Returns the name of the request schema that contains the options. */
export function requestOf(options: string): string {
  return PARTS[options]?.request ?? options;
}

/** Adds the option schemas to the contract. If a member has only one spelling, it is also the camelCase form. */
export function withOptions(contract: Contract): Contract {
  const schemas: Record<string, DescribedSchema> = { ...contract.components.schemas };
  for (const [name, { request, leaveOut, description }] of Object.entries(PARTS)) {
    const { properties = {} } = schemas[request] ?? {};
    const members = Object.entries(properties)
      .filter(([member]) => !leaveOut.includes(member))
      .map(([member, schema]): [string, DescribedSchema] => [
        member,
        { "x-hint": [(schema.description ?? "").trim()], ...schema, "x-alias": member },
      ]);
    if (request in schemas) schemas[name] = { description, type: "object", properties: Object.fromEntries(members) };
  }
  return { ...contract, components: { ...contract.components, schemas } };
}

/** Returns all option schemas, by name. Each schema follows the schemas that it references. */
export function listOptionSchemas(contract: Contract): ReadonlyMap<string, DescribedSchema> {
  const found = new Map<string, DescribedSchema>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    const schema = schemaOf(contract, name);
    Object.values(schema.properties ?? {})
      .flatMap(namesIn)
      .forEach(add);
    found.set(name, schema);
  };
  OPTIONS.filter((name) => contract.components.schemas[name] !== undefined).forEach(add);
  return found;
}

/**
 * Lists the members of an options schema, with their camelCase forms.
 * @throws {Error} If a member has no camelCase form.
 */
export function listOptions(name: string, { properties = {}, required = [] }: DescribedSchema) {
  return Object.entries(properties).map(([wire, schema]) => {
    const { "x-alias": alias } = schema;
    if (alias === undefined) throw new Error(`${name}.${wire} has no camelCase form (x-alias).`);
    return { wire, alias, schema, isRequired: required.includes(wire) };
  });
}
