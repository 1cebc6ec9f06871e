import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@remote-browser/contract/operations";
import { findAnywhere } from "./error-answers.ts";

/** What the proxy does with one request. */
export type Act =
  /** The server answers; `change` is what becomes of its answer, if that is an object. */
  | { readonly kind: "pass"; readonly change?: (answer: JsonObject) => JsonObject }
  /** The contract's error of that name, in the mock's own words where it can. */
  | { readonly kind: "refuse"; readonly name: string; readonly retryAfterS: number | undefined }
  /** Something that is not from the server. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Nothing, with the connection open. */
  | { readonly kind: "silence" }
  /** An answer's beginning, and then nothing. */
  | { readonly kind: "half" }
  /** The server carries it out, and nobody hears of it. */
  | { readonly kind: "cut" };

/** One request under a base URL with a fault. */
export type Visit = {
  readonly operation: OperationId | undefined;
  /** The how-manieth under its base URL, from 1. */
  readonly count: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type JsonObject = Readonly<Record<string, unknown>>;

type Fault = (visit: Visit) => Act;

const PASS: Act = { kind: "pass" };
const GATEWAY_PAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n";

const FAULTS: Readonly<Record<string, Fault>> = {
  pass: () => PASS,
  "busy-once": ({ count }) => (count === 1 ? refuse("BrowserUnavailable", 1) : PASS),
  "limited-once": ({ count }) => (count === 1 ? refuse("TooManyRequests", 1) : PASS),
  "busy-always": () => refuse("BrowserUnavailable", 1),
  "busy-long": () => refuse("BrowserUnavailable", 3600),
  "not-installed": () => refuse("BrowserUnavailable"),
  silent: () => ({ kind: "silence" }),
  half: () => ({ kind: "half" }),
  "cut-after": ({ count }) => (count === 1 ? { kind: "cut" } : PASS),
  gateway: () => page(502, GATEWAY_PAGE),
  "not-json": () => page(200, "<html><body>Welcome to this network. Please sign in.</body></html>\n"),
  "new-members": () => ({ kind: "pass", change: addMembers }),
  "new-error": () => json(409, NEW_ERROR),
  "thin-error": () => json(findAnywhere("BrowserNotFound", false).status, { name: "BrowserNotFound" }, "thin-1"),
  "echo-page": (visit) => page(502, `<html><body>${repeat(visit)}</body></html>\n`),
  "echo-error": echoError,
  misfit: ({ operation }) => (operation === "queryAi" ? { kind: "pass", change: spoilValue } : PASS),
  "no-value": ({ operation }) => (operation === "queryAi" ? { kind: "pass", change: dropValue } : PASS),
};

const NEW_ERROR = {
  status: 409,
  name: "SomethingNew",
  message: "Something happened that a later version of the contract has a name for.",
  requestId: "01K3ZQ9V7N4T0XZZ",
};

/** Errors that say when to try again, and do so here; the contract shows some of them without as well. */
const TIMED = new Set(["TooManyRequests", "BrowserUnavailable", "ProviderUnavailable"]);

/**
 * The fault of a base URL.
 * @param name `answer-NAME` refuses everything with the contract's error of that name.
 * @returns Undefined when there is none of that name.
 */
export function findFault(name: string): Fault | undefined {
  const [, error] = /^answer-(\w+)$/.exec(name) ?? [];
  if (error !== undefined) return () => refuse(error, TIMED.has(error) ? 1 : undefined);
  return Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
}

export function listFaults(): readonly string[] {
  return [...Object.keys(FAULTS), "answer-NAME"];
}

function refuse(name: string, retryAfterS?: number): Act {
  return { kind: "refuse", name, retryAfterS };
}

function page(status: number, body: string): Act {
  return { kind: "answer", status, headers: { "content-type": "text/html" }, body };
}

function json(status: number, body: object, requestId?: string): Act {
  const headers = { "content-type": "application/json", ...(requestId && { "x-request-id": requestId }) };
  return { kind: "answer", status, headers, body: JSON.stringify(body) };
}

/** What a careless server repeats of a request, and what clients may show nothing of. */
function repeat({ headers, body }: Visit): string {
  return `Authorization: ${headers.authorization ?? ""} ${body}`;
}

function echoError(visit: Visit): Act {
  const { status, body } = findAnywhere("Unknown", false);
  return json(status, { ...body, message: `It failed. ${repeat(visit)}` }, body.requestId);
}

function addMembers(answer: JsonObject): JsonObject {
  const sessions = answer["sessions"];
  const more = { newMember: { since: "a later version" }, newList: [1, 2] };
  if (!Array.isArray(sessions)) return { ...answer, ...more };
  return { ...answer, ...more, sessions: sessions.map((session: JsonObject) => ({ ...session, ...more })) };
}

function spoilValue(answer: JsonObject): JsonObject {
  return { ...answer, value: "nonsense" };
}

function dropValue(answer: JsonObject): JsonObject {
  return { ...answer, value: undefined };
}
