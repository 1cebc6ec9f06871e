import { type Change, presenceAt } from "./change.ts";
import { compareOther, compareSchemas } from "./compare-schemas.ts";
import { type Documents, keysOf, type Node, nodeAt } from "./documents.ts";
import { memberOf, type Place } from "./place.ts";

/** Compares the media types and schemas of bodies. Error schemas are compared elsewhere. */
export function compareContent(
  documents: Documents,
  place: Place,
  before: Node,
  after: Node,
  areSchemasCompared = true,
): Change[] {
  return keysOf(before, after).flatMap((type) => {
    const isThere = Object.hasOwn(after, type);
    if (isThere !== Object.hasOwn(before, type)) return [presence(memberOf(place, type), type, isThere)];
    const [was, is] = [nodeAt(before, type), nodeAt(after, type)];
    return keysOf(was, is).flatMap((key) => {
      if (key !== "schema") return compareOther(documents, place, key, was[key], is[key]);
      return areSchemasCompared ? compareSchemas(documents, place, nodeAt(was, key), nodeAt(is, key)) : [];
    });
  });
}

function presence(place: Place, type: string, isThere: boolean): Change {
  const isRequest = place.direction === "request";
  const inRequest = isThere ? `A client may now send ${type}.` : `A client that sends ${type} is now refused.`;
  const why = isRequest
    ? inRequest
    : `A client ${isThere ? `may receive ${type}, which it can't read` : `that reads ${type} receives a different media type`}.`;
  const verdict = isRequest && isThere ? "additive" : "breaking";
  return presenceAt(place, type, { isThere, verdict, why }, "media type");
}
