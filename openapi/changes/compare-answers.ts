import { type Change, presenceAt } from "./change.ts";
import { compareContent } from "./compare-content.ts";
import { compareErrors, errorSchemasOf } from "./compare-errors.ts";
import { compareHeaders } from "./compare-headers.ts";
import { compareOther } from "./compare-schemas.ts";
import { type Documents, follow, keysOf, type Node, nodeAt } from "./documents.ts";
import { definitionAt, memberOf, type Place } from "./place.ts";

/** Compares an operation's responses. */
export function compareAnswers(documents: Documents, operation: Place, before: Node, after: Node): Change[] {
  const errors: Place = { ...operation, direction: "answer", group: "errors" };
  const each = keysOf(before, after).flatMap((key) => {
    const place: Place = { ...memberOf(errors, key), value: `the answer ${key}`, group: groupOf(key) };
    if (Object.hasOwn(before, key) && Object.hasOwn(after, key)) {
      return compareAnswer(documents, place, nodeAt(before, key), nodeAt(after, key));
    }
    const isOfErrors = errorSchemasOf(documents.before, nodeAt(before, key)).length > 0;
    const isOfNewErrors = errorSchemasOf(documents.after, nodeAt(after, key)).length > 0;
    return isOfErrors || isOfNewErrors ? [] : [presence(place, key, Object.hasOwn(after, key))];
  });
  return [...each, ...compareErrors(documents, errors, before, after)];
}

function groupOf(key: string): Place["group"] {
  return /^[123]/.test(key) ? "answers" : "errors";
}

/** Describes an added or removed non-error response. An added response replaces a response that clients expect. */
function presence(place: Place, key: string, isThere: boolean): Change {
  const why = isThere
    ? `A client may receive a ${key} response, which it doesn't recognize.`
    : `A client that expects a ${key} response no longer receives one.`;
  return presenceAt(place, key, { isThere, verdict: "breaking", why });
}

function compareAnswer(documents: Documents, place: Place, before: Node, after: Node): Change[] {
  const was = follow(documents.before, before);
  const is = follow(documents.after, after);
  const shared = was.name !== undefined && was.name === is.name;
  const here = shared ? definitionAt(place, `responses/${was.name}`, `the answer ${was.name}`) : place;
  const areErrors =
    errorSchemasOf(documents.before, before).length > 0 && errorSchemasOf(documents.after, after).length > 0;
  return keysOf(was.node, is.node).flatMap((key) => {
    const [old, now] = [nodeAt(was.node, key), nodeAt(is.node, key)];
    if (key === "headers") return compareHeaders(documents, here, old, now);
    if (key === "content") return compareContent(documents, here, old, now, !areErrors);
    return compareOther(documents, here, key, was.node[key], is.node[key]);
  });
}
