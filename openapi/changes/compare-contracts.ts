import type { Contract } from "../scripts/contract.ts";
import { type Change, changeAt, mergeChanges } from "./change.ts";
import { compareAnswers } from "./compare-answers.ts";
import { comparePaths } from "./compare-paths.ts";
import { compareOther, compareProse } from "./compare-schemas.ts";
import { compareSecuritySchemes } from "./compare-security.ts";
import { type Documents, isNode, keysOf, type Node, nodeAt } from "./documents.ts";
import { type Place, placeOf } from "./place.ts";

/** Kinds of components that are compared at each place where the contract uses them. */
const USED_ELSEWHERE = ["schemas", "responses", "requestBodies", "headers", "parameters", "examples"];

/** Lists all differences between two contracts except their versions, without duplicates. */
export function compareContracts(before: Contract, after: Contract): Change[] {
  const documents: Documents = { before, after };
  const keys = keysOf(documents.before, documents.after);
  return mergeChanges(keys.flatMap((key) => compareKey(documents, key)));
}

function compareKey(documents: Documents, key: string): Change[] {
  const [was, is] = [documents.before[key], documents.after[key]];
  const place = placeOf("contract", { direction: "answer", group: "operations" });
  switch (key) {
    case "paths":
      return comparePaths(documents);
    // Default security is compared as part of each operation. Each deployment declares its own capabilities.
    case "security":
    case "x-capabilities":
      return [];
    case "info":
    case "tags":
      return compareProse(place, key, withoutVersion(was), withoutVersion(is));
    case "servers":
      return compareServers(place, was, is);
    case "components":
      return compareComponents(documents, nodeAt(documents.before, key), nodeAt(documents.after, key));
    case "x-answers-of-other-requests":
      return compareOtherRequests(documents, nodeAt(documents.before, key), nodeAt(documents.after, key));
    default:
      return compareOther(documents, place, key, was, is);
  }
}

function withoutVersion(value: unknown): unknown {
  return isNode(value) ? { ...value, version: undefined } : value;
}

function compareServers(place: Place, was: unknown, is: unknown): Change[] {
  const urls = (servers: unknown): unknown =>
    Array.isArray(servers) ? servers.map((server: Node) => server["url"]) : [];
  if (JSON.stringify(urls(was)) === JSON.stringify(urls(is))) return compareProse(place, "servers", was, is);
  const why = "A generated client without a URL setting calls another server.";
  return [changeAt(place, { what: "servers", verdict: "breaking", was: urls(was), is: urls(is), why })];
}

function compareComponents(documents: Documents, before: Node, after: Node): Change[] {
  return keysOf(before, after).flatMap((kind) => {
    const place = placeOf(kind, { direction: "request", group: "operations" });
    if (USED_ELSEWHERE.includes(kind)) return [];
    return kind === "securitySchemes"
      ? compareSecuritySchemes(documents, place, nodeAt(before, kind), nodeAt(after, kind))
      : compareOther(documents, place, kind, before[kind], after[kind]);
  });
}

/** Compares the responses to requests that match no operation. */
function compareOtherRequests(documents: Documents, before: Node, after: Node): Change[] {
  const id = "requests that match no operation";
  return compareAnswers(documents, placeOf(id, { direction: "answer", group: "errors" }), before, after);
}
