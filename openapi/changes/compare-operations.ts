import { type Change, changeAt, presenceAt } from "./change.ts";
import { compareAnswers } from "./compare-answers.ts";
import { compareContent } from "./compare-content.ts";
import { compareParameter } from "./compare-headers.ts";
import { compareRequired } from "./compare-members.ts";
import { compareLimit, compareOther } from "./compare-schemas.ts";
import { compareSecurity } from "./compare-security.ts";
import { type Documents, follow, isNode, keysOf, type Node, nodeAt } from "./documents.ts";
import { LIMITS } from "./limits.ts";
import { definitionAt, memberOf, type Place, placeOf } from "./place.ts";

/** Compares an operation, using its old name to identify it. */
export function compareOperation(documents: Documents, id: string, was: Node, is: Node): Change[] {
  const place = placeOf(id, { direction: "request", group: "operations", operation: id });
  return [
    ...compareSecurity(place, securityOf(documents.before, was), securityOf(documents.after, is)),
    ...keysOf(was, is).flatMap((key) => compareKey(documents, place, key, was, is)),
  ];
}

function securityOf(document: Node, operation: Node): unknown {
  return operation["security"] ?? document["security"];
}

function compareKey(documents: Documents, place: Place, key: string, was: Node, is: Node): Change[] {
  const request: Place = { ...place, group: "requests" };
  switch (key) {
    case "security":
      return [];
    case "operationId":
    case "tags":
      return compareName(place, key, was[key], is[key]);
    case "parameters":
      return compareParameters(documents, request, was, is);
    case "requestBody":
      return compareBody(documents, request, was, is);
    case "responses":
      return compareAnswers(documents, place, nodeAt(was, key), nodeAt(is, key));
    default:
      return LIMITS[key] === undefined
        ? compareOther(documents, place, key, was[key], is[key])
        : compareLimit({ ...request, value: "a body" }, key, was[key], is[key]);
  }
}

/** Compares a name that generated clients use for a method or class. */
function compareName(place: Place, what: string, was: unknown, is: unknown): Change[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const why = `Generated clients name ${what === "tags" ? "a class" : "a method"} after it; programs that use that no longer compile.`;
  return [changeAt(place, { what, verdict: "breaking", was, is, why })];
}

function compareBody(documents: Documents, operation: Place, before: Node, after: Node): Change[] {
  const was = follow(documents.before, nodeAt(before, "requestBody"));
  const is = follow(documents.after, nodeAt(after, "requestBody"));
  const isShared = was.name !== undefined && was.name === is.name;
  const body: Place = { ...memberOf(operation, "body"), words: `the body of ${operation.words}`, value: "the body" };
  const place = isShared ? definitionAt(body, `requestBodies/${was.name}`, `the body ${was.name}`) : body;
  if (!Object.hasOwn(before, "requestBody") || !Object.hasOwn(after, "requestBody")) {
    return [presence(body, Object.hasOwn(after, "requestBody"), is.node["required"] === true)];
  }
  return keysOf(was.node, is.node).flatMap((key) => {
    if (key === "required") return compareRequired(place, was.node[key] === true, is.node[key] === true);
    if (key !== "content") return compareOther(documents, place, key, was.node[key], is.node[key]);
    const [old, now] = [nodeAt(was.node, key), nodeAt(is.node, key)];
    return compareContent(documents, place, old, now);
  });
}

function presence(place: Place, isThere: boolean, isRequired: boolean): Change {
  const verdict = isThere && !isRequired ? "additive" : "breaking";
  const why = isThere
    ? isRequired
      ? "A client that sends no body is now refused."
      : "A client may now send a body."
    : "The service ignores the body from clients that send one.";
  return presenceAt(place, "a body", { isThere, verdict, why });
}

/** Compares an operation's parameters, regardless of their order. */
function compareParameters(documents: Documents, place: Place, was: Node, is: Node): Change[] {
  const before = parametersOf(documents.before, was);
  const after = parametersOf(documents.after, is);
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((key) => {
    const parameter = memberOf(place, key);
    const old = before.get(key);
    const now = after.get(key);
    if (old === undefined || now === undefined) return [parameterPresence(parameter, now)];
    return compareParameter(documents, parameter, old, now);
  });
}

/** Returns parameters by location and name, such as `query limit`. */
function parametersOf(document: Node, { parameters }: Node): ReadonlyMap<string, Node> {
  const list = Array.isArray(parameters) ? parameters.filter(isNode) : [];
  const nodes = list.map((parameter) => follow(document, parameter).node);
  return new Map(nodes.map((node) => [`${String(node["in"])} ${String(node["name"])}`, node]));
}

function parameterPresence(place: Place, now: Node | undefined): Change {
  const isAdditive = now !== undefined && now["required"] !== true;
  const why = isAdditive
    ? `A client may now send ${place.value}.`
    : now === undefined
      ? `The service ignores ${place.value} from clients that send it.`
      : `Existing clients don't send ${place.value} and are now refused.`;
  const verdict = isAdditive ? "additive" : "breaking";
  return presenceAt(place, place.value, { isThere: now !== undefined, verdict, why });
}
