import type { Contract, Schema } from "../../openapi/scripts/contract.ts";
import { type DescribedSchema, namesIn, schemaOf } from "./described-schema.ts";

/** The options of the clients' methods. */
const OPTIONS = ["OpenOptions", "UpdateOptions", "HistoryOptions"] as const;

/** Options that are part of a request. The clients add the request's other members. */
const PARTS: Readonly<Record<string, { request: string; leaveOut: readonly string[]; description: string }>> = {
  UpdateOptions: {
    request: "UpdateRequest",
    leaveOut: ["address", "id"],
    description:
      "The new values of a browser. A value that is omitted or `null` stays as it is. Without any new value, the call is a `BadRequest`.",
  },
  HistoryOptions: {
    request: "HistoryRequest",
    leaveOut: ["limit", "cursor"],
    description: "Which browsers of the history to list. Every member may be omitted or `null`, which means the same.",
  },
};

/** Returns the name of the request schema for options. */
export function requestOf(options: string): string {
  return PARTS[options]?.request ?? options;
}

/** Adds a schema for each of the options. A member with only one spelling is its own camelCase form. */
export function withOptions(contract: Contract): Contract {
  const { schemas } = contract.components;
  const added = Object.entries(PARTS)
    .filter(([, { request }]) => schemas[request] !== undefined)
    .map(([name, part]) => [name, toOptions(contract, part)] as const);
  return { ...contract, components: { ...contract.components, schemas: { ...schemas, ...Object.fromEntries(added) } } };
}

/** Returns the schemas of all options, by name. Each schema follows the schemas that it refers to. */
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

function toOptions(contract: Contract, { request, leaveOut, description }: (typeof PARTS)[string]): Schema {
  const members = Object.entries(schemaOf(contract, request).properties ?? {})
    .filter(([name]) => !leaveOut.includes(name))
    .map(([name, schema]): [string, DescribedSchema] => [
      name,
      { "x-hint": [(schema.description ?? "").trim()], ...schema, "x-alias": name },
    ]);
  const options: DescribedSchema = { description, type: "object", properties: Object.fromEntries(members) };
  return options;
}
