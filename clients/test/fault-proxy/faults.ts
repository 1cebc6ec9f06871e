import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@remote-browser/contract/operations";
import { findAnywhere } from "./error-answers.ts";

/** What the proxy does with a request. */
export type Act =
  /** Forwards the request and changes the response if its body is an object. */
  | { readonly kind: "pass"; readonly change?: (answer: JsonObject) => JsonObject }
  /** Responds with the contract's error of this name, through the mock if the operation declares the error. */
  | { readonly kind: "refuse"; readonly name: string; readonly retryAfterS: number | undefined }
  /** Responds like a gateway. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** Sends no response and keeps the connection open. */
  | { readonly kind: "silence" }
  /** Sends the beginning of a response and then stops. */
  | { readonly kind: "half" }
  /** Forwards the request, and closes the client's connection. */
  | { readonly kind: "cut" };

/** A request to a base URL that injects a fault. */
type FaultRequest = {
  readonly operation: OperationId | undefined;
  /** The request's number among requests to its base URL, starting at 1. */
  readonly count: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type JsonObject = Readonly<Record<string, unknown>>;

type Fault = (request: FaultRequest) => Act;

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
  "first-version": firstVersion,
  "first-version-cut-after": (request) => (request.count === 1 ? { kind: "cut" } : firstVersion(request)),
  "new-error": () => json(409, NEW_ERROR),
  "thin-error": () => json(findAnywhere("BrowserNotFound", false).status, { name: "BrowserNotFound" }, "thin-1"),
  "echo-page": (request) => page(502, `<html><body>${repeat(request)}</body></html>\n`),
  "echo-error": echoError,
  misfit: ({ operation }) => (operation === "queryAi" ? { kind: "pass", change: spoilValue } : PASS),
  "no-value": ({ operation }) => (operation === "queryAi" ? { kind: "pass", change: dropValue } : PASS),
};

const NEW_ERROR = {
  status: 409,
  name: "SomethingNew",
  message: "A later version of the contract has a name for this error.",
  requestId: "01K3ZQ9V7N4T0XZZ",
};

/** The operations of contract version 1.0. */
const FIRST_OPERATIONS: ReadonlySet<OperationId> = new Set([
  ...(["openBrowser", "closeBrowser", "getBrowsers", "startRemoteDesktop", "stopRemoteDesktop", "queryAi"] as const),
]);

/** Response members that were added after contract version 1.0. */
const LATER_MEMBERS = new Set([...["id", "browser", "headless", "tags", "keepOpen", "closesOn", "clients", "desktop"]]);

/** Errors that the proxy sends with `Retry-After`, although the contract also has examples without the header. */
const TIMED = new Set(["IdempotencyKeyInUse", "TooManyRequests", "BrowserUnavailable", "ProviderUnavailable"]);

/**
 * Finds a fault by its name.
 * @param name `answer-NAME` responds to all requests with the error NAME.
 * @returns Undefined for an unknown fault.
 */
export function findFault(name: string): Fault | undefined {
  const [, error] = /^answer-(\w+)$/.exec(name) ?? [];
  if (error !== undefined) return () => refuse(error, TIMED.has(error) ? 1 : undefined);
  return Object.hasOwn(FAULTS, name) ? FAULTS[name] : undefined;
}

export function listFaults(): readonly string[] {
  return [...Object.keys(FAULTS), "answer-NAME"];
}

function firstVersion({ operation }: FaultRequest): Act {
  return operation !== undefined && FIRST_OPERATIONS.has(operation)
    ? { kind: "pass", change: dropMembers }
    : json(404, findAnywhere("NotFound", false).body);
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

/** Repeats a request's secrets, as a careless server would. Clients must not show these secrets. */
function repeat({ headers, body }: FaultRequest): string {
  return `Authorization: ${headers.authorization ?? ""} ${body}`;
}

function echoError(request: FaultRequest): Act {
  const { status, body } = findAnywhere("Unknown", false);
  return json(status, { ...body, message: `It failed. ${repeat(request)}` }, body.requestId);
}

/** Adds members to a response and to the elements of its arrays. */
function addMembers(answer: JsonObject): JsonObject {
  const more = { newMember: { since: "a later version" }, newList: [1, 2] };
  const members = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((each: unknown) => (isObject(each) ? { ...each, ...more } : each)) : value,
  ]);
  return { ...Object.fromEntries(members), ...more };
}

/** Keeps only version 1.0 members in a response and in the sessions of a list. */
function dropMembers(answer: JsonObject): JsonObject {
  const { sessions } = answer;
  if (Array.isArray(sessions)) return { sessions: sessions.map(dropMembers) };
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !LATER_MEMBERS.has(name)));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function spoilValue(answer: JsonObject): JsonObject {
  return { ...answer, value: "nonsense" };
}

function dropValue(answer: JsonObject): JsonObject {
  return { ...answer, value: undefined };
}
