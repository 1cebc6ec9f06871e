import type { Fault, Mutant } from "../mutant.ts";
import { onAnswer, onFailure, onRefusal } from "./alter.ts";

function onHeaders(alter: (headers: Headers, status: number) => void): Fault {
  return {
    async answer(request, next) {
      const response = await next(request);
      const headers = new Headers(response.headers);
      alter(headers, response.status);
      return new Response(response.body, { status: response.status, headers });
    },
  };
}

/** Members and headers of every response. */
export const BODY_MUTANTS: readonly Mutant[] = [
  {
    id: "type-plain",
    title: "JSON is declared as text/plain",
    killedBy: ["RBS-ANSWER-01", "RBS-FUZZ-03"],
    fault: () => onAnswer("*", () => ({ headers: { "Content-Type": "text/plain; charset=utf-8" } })),
  },
  {
    id: "type-missing-on-errors",
    title: "Errors have no Content-Type",
    killedBy: ["RBS-ANSWER-01"],
    fault: () => onRefusal(() => ({ headers: { "Content-Type": undefined } })),
  },
  {
    id: "type-problem",
    title: "Errors are declared as application/problem+json",
    killedBy: ["RBS-ANSWER-01"],
    fault: () => onRefusal(() => ({ headers: { "Content-Type": "application/problem+json" } })),
  },
  {
    id: "body-page",
    title: "Unknown paths are answered with an HTML page",
    killedBy: ["RBS-PATH-02", "RBS-ANSWER-01"],
    fault: () =>
      onFailure("NotFound", () => ({
        body: "<!doctype html><title>404</title>",
        headers: { "Content-Type": "text/html" },
      })),
  },
  {
    id: "body-bare-list",
    title: "Get returns a bare array",
    killedBy: ["RBS-ANSWER-01", "RBS-LIST-07"],
    fault: () => onAnswer("getBrowsers", ({ status, body }) => (status === 200 ? { body: body["sessions"] } : {})),
  },
  {
    id: "body-wrapped",
    title: "Successful responses are wrapped in a member data",
    killedBy: ["RBS-ANSWER-02", "RBS-OPEN-01"],
    fault: () => onAnswer("*", ({ status, body }) => (status === 200 ? { body: { data: body } } : {})),
  },
  {
    id: "body-close-empty",
    title: "Close returns an empty object without status",
    killedBy: ["RBS-ANSWER-02"],
    fault: () => onAnswer("closeBrowser", ({ status }) => (status === 200 ? { body: {} } : {})),
  },
  {
    id: "request-id-missing",
    title: "Responses have no X-Request-Id",
    killedBy: ["RBS-ANSWER-06", "RBS-FUZZ-04"],
    fault: () => onHeaders((headers) => headers.delete("X-Request-Id")),
  },
  {
    id: "request-id-missing-on-errors",
    title: "Errors have no X-Request-Id",
    killedBy: ["RBS-ANSWER-06"],
    fault: () => onHeaders((headers, status) => status >= 400 && headers.delete("X-Request-Id")),
  },
  {
    id: "request-id-missing-on-unknown-paths",
    title: "Responses for unknown paths have no X-Request-Id",
    killedBy: ["RBS-ANSWER-06"],
    fault: () => onFailure("NotFound", () => ({ headers: { "X-Request-Id": undefined } })),
  },
  {
    id: "request-id-constant",
    title: "All responses have the same request id",
    killedBy: ["RBS-ANSWER-08"],
    fault: () =>
      onAnswer("*", ({ body }) => ({
        body: "requestId" in body ? { ...body, requestId: "request-1" } : body,
        headers: { "X-Request-Id": "request-1" },
      })),
  },
  {
    id: "request-id-endless",
    title: "Request ids have 200 characters",
    killedBy: ["RBS-ANSWER-06"],
    fault: () =>
      onHeaders((headers) => headers.set("X-Request-Id", (headers.get("X-Request-Id") ?? "").padEnd(200, "0"))),
  },
  {
    id: "www-authenticate-missing",
    title: "401 has no WWW-Authenticate",
    killedBy: ["RBS-AUTH-03", "RBS-ANSWER-10"],
    fault: () => onHeaders((headers) => headers.delete("WWW-Authenticate")),
  },
  {
    id: "www-authenticate-basic",
    title: "401 asks for Basic authentication",
    killedBy: ["RBS-AUTH-03", "RBS-ANSWER-10"],
    fault: () =>
      onHeaders((headers, status) => status === 401 && headers.set("WWW-Authenticate", 'Basic realm="browsers"')),
  },
  {
    id: "allow-missing",
    title: "405 has no Allow",
    killedBy: ["RBS-PATH-03", "RBS-ANSWER-10", "RBS-FUZZ-08"],
    fault: () => onHeaders((headers) => headers.delete("Allow")),
  },
  {
    id: "allow-wrong",
    title: "Allow lists methods that the path does not have",
    killedBy: ["RBS-PATH-03"],
    fault: () => onHeaders((headers, status) => status === 405 && headers.set("Allow", "PUT, DELETE")),
  },
  {
    id: "retry-after-missing",
    title: "429 has no Retry-After",
    killedBy: ["RBS-RATE-01", "RBS-ANSWER-10"],
    fault: () => onHeaders((headers, status) => status === 429 && headers.delete("Retry-After")),
  },
  {
    id: "retry-after-date",
    title: "Retry-After is a date instead of seconds",
    killedBy: ["RBS-RATE-01", "RBS-ANSWER-10"],
    fault: () =>
      onHeaders(
        (headers, status) => status === 429 && headers.set("Retry-After", new Date(Date.now() + 5000).toUTCString()),
      ),
  },
];
