import type { Contract, Schema } from "../../openapi/scripts/contract.ts";
import { type DescribedSchema, schemaOf } from "./described-schema.ts";

/** The options of the clients' methods, by their names in the clients. */
const OPTIONS = ["OpenOptions", "UpdateOptions", "HistoryOptions"] as const;

/** Options that form a part of a request. The clients set its other members themselves. */
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

/** Returns the name of the request's schema in the contract. */
export function requestOf(options: string): string {
  return PARTS[options]?.request ?? options;
}

/** Adds a schema for options that form a part of a request. Their members have only one spelling. */
export function withOptions(contract: Contract): Contract {
  const { schemas } = contract.components;
  const added = Object.entries(PARTS)
    .filter(([, { request }]) => schemas[request] !== undefined)
    .map(([name, part]) => [name, toOptions(contract, part)] as const);
  return { ...contract, components: { ...contract.components, schemas: { ...schemas, ...Object.fromEntries(added) } } };
}

/** Lists the names of the options in a contract. */
export function listOptionNames({ components }: Contract): readonly string[] {
  return OPTIONS.filter((name) => components.schemas[name] !== undefined);
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
