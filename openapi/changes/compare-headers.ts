import { type Change, presenceAt } from "./change.ts";
import { compareRequired } from "./compare-members.ts";
import { compareOther, compareSchemas } from "./compare-schemas.ts";
import { type Documents, follow, keysOf, type Node, nodeAt } from "./documents.ts";
import { definitionAt, memberOf, type Place } from "./place.ts";

/** Compares a response's headers. */
export function compareHeaders(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  return keysOf(before, after).flatMap((name) => {
    const header = memberOf(place, name);
    const isThere = Object.hasOwn(after, name);
    if (isThere !== Object.hasOwn(before, name)) {
      const why = isThere
        ? `A client also receives the header ${name}.`
        : `A client that reads the header ${name} no longer finds it.`;
      return [presenceAt(header, name, { isThere, verdict: isThere ? "additive" : "breaking", why })];
    }
    return compareHeader(documents, header, nodeAt(before, name), nodeAt(after, name));
  });
}

function compareHeader(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  const was = follow(documents.before, before);
  const is = follow(documents.after, after);
  const isShared = was.name !== undefined && was.name === is.name;
  const here = isShared ? definitionAt(place, `headers/${was.name}`, `the header ${was.name}`) : place;
  return compareParameter(documents, here, was.node, is.node);
}

/** Compares parameters or headers. Both have the same keywords. */
export function compareParameter(documents: Documents, place: Place, was: Node, is: Node): Change[] {
  return keysOf(was, is).flatMap((key) => {
    if (key === "required") return compareRequired(place, was[key] === true, is[key] === true);
    if (key === "schema") return compareSchemas(documents, place, nodeAt(was, key), nodeAt(is, key));
    return compareOther(documents, place, key, was[key], is[key]);
  });
}
