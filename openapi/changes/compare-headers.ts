import { type Change, presenceAt } from "./change.ts";
import { compareRequired } from "./compare-members.ts";
import { compareOther, compareSchemas } from "./compare-schemas.ts";
import { type Documents, follow, keysOf, type Node, nodeAt } from "./documents.ts";
import { definitionAt, memberOf, type Place } from "./place.ts";

/** Compares the headers of a response. */
export function compareHeaders(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  return keysOf(before, after).flatMap((name) => {
    const header = memberOf(place, name);
    const isThere = Object.hasOwn(after, name);
    if (isThere !== Object.hasOwn(before, name)) {
      const why = isThere
        ? `A client also gets the header ${name}.`
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
  return keysOf(was.node, is.node).flatMap((key) => {
    if (key === "required") return compareRequired(here, was.node[key] === true, is.node[key] === true);
    if (key === "schema") return compareSchemas(documents, here, nodeAt(was.node, key), nodeAt(is.node, key));
    return compareOther(documents, here, key, was.node[key], is.node[key]);
  });
}
