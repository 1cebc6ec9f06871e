import { readFileSync } from "node:fs";
import { isNode } from "./documents.ts";

/** A breaking change that is accepted on purpose within a major version. */
export type Accepted = { readonly change: string; readonly reason: string };

/** @throws {Error} When it is not a list of changes with their reasons. */
export function readAccepted(file: string): Accepted[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list)) throw new Error('accepted.json must be a list of {"change": …, "reason": …}.');
  return list.map((entry: unknown) => {
    const { change, reason } = isNode(entry) ? entry : {};
    if (typeof change !== "string" || typeof reason !== "string" || reason.trim() === "") {
      throw new Error(`accepted.json: ${JSON.stringify(entry)} must name the change that it accepts, and the reason.`);
    }
    return { change, reason };
  });
}
