import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "./contract.ts";

/** The members of each released schema that have been required since its first release in this major version. */
export type RequiredMembers = Readonly<Record<string, readonly string[]>>;

/** `npm run release -w openapi` updates this file. */
export const REQUIRED = join(import.meta.dirname, "../released/required.json");

export function readRequiredMembers(): RequiredMembers {
  return JSON.parse(readFileSync(REQUIRED, "utf8")) as RequiredMembers;
}

/** Adds the required members of a contract's new schemas. */
export function addRequiredMembers(known: RequiredMembers, { components }: Contract): RequiredMembers {
  const present = Object.entries(components.schemas).map(([name, { required = [] }]) => [name, required] as const);
  const all = { ...Object.fromEntries(present.filter(([, required]) => required.length > 0)), ...known };
  return Object.fromEntries(Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
