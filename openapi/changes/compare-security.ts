import { type Change, changeAt } from "./change.ts";
import { compareOther } from "./compare-schemas.ts";
import { type Documents, keysOf, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/** Compares the authentication methods. An empty list means no authentication. */
export function compareSecurity(place: Place, was: unknown, is: unknown): Change[] {
  const before = waysOf(was);
  const after = waysOf(is);
  const isOpen = after.length === 0;
  const gone = before.filter((way) => !after.includes(way) && !isOpen);
  const isClosed = before.length === 0 && !isOpen;
  if (gone.length > 0 || isClosed) {
    const why = "A client that authenticates as before, or not at all, is now refused.";
    return [changeAt(place, { what: "security", verdict: "breaking", was, is, why })];
  }
  if (before.length === after.length) return [];
  const why = "A client may authenticate in another way, or not at all.";
  return [changeAt(place, { what: "security", verdict: "additive", was, is, why })];
}

function waysOf(security: unknown): readonly string[] {
  return Array.isArray(security) ? security.map((way) => JSON.stringify(way)) : [];
}

/** Compares the definitions of authentication methods. */
export function compareSecuritySchemes(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  return keysOf(before, after).flatMap((name) => {
    const scheme = memberOf(place, name);
    // A new definition has no effect until an operation requires it.
    if (!Object.hasOwn(before, name)) return [];
    const [was, is] = [nodeAt(before, name), nodeAt(after, name)];
    return keysOf(was, is).flatMap((key) => compareOther(documents, scheme, key, was[key], is[key]));
  });
}
