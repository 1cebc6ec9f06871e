import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onAnswer, onFailure, onRefusal, onSuccess } from "../../faults/alter.ts";

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

/** Faults in the members and headers of every response. */
export const BODY_MUTANTS: readonly Mutant[] = [
  mutant("type-plain", ["RBS-ANSWER-01", "RBS-FUZZ-03"], "JSON responses are declared as text/plain", () =>
    onAnswer("*", () => ({ headers: { "Content-Type": "text/plain; charset=utf-8" } })),
  ),
  mutant("type-missing-on-errors", ["RBS-ANSWER-01"], "Error responses have no Content-Type", () =>
    onRefusal(() => ({ headers: { "Content-Type": undefined } })),
  ),
  mutant("type-problem", ["RBS-ANSWER-01"], "Error responses are declared as application/problem+json", () =>
    onRefusal(() => ({ headers: { "Content-Type": "application/problem+json" } })),
  ),
  mutant("body-page", ["RBS-PATH-02", "RBS-ANSWER-01"], "Unknown paths return an HTML page", () =>
    onFailure("NotFound", () => ({
      body: "<!doctype html><title>404</title>",
      headers: { "Content-Type": "text/html" },
    })),
  ),
  mutant("body-bare-list", ["RBS-ANSWER-01", "RBS-LIST-07"], "Get returns a bare array", () =>
    onSuccess("getBrowsers", (body) => body["sessions"]),
  ),
  mutant("body-wrapped", ["RBS-ANSWER-02", "RBS-OPEN-01"], "Successful responses are wrapped in a data member", () =>
    onSuccess("*", (body) => ({ data: body })),
  ),
  mutant("body-close-empty", ["RBS-ANSWER-02"], "Close returns an empty object without status", () =>
    onSuccess("closeBrowser", () => ({})),
  ),
  mutant("request-id-missing", ["RBS-ANSWER-06", "RBS-FUZZ-04"], "Responses have no X-Request-Id", () =>
    onHeaders((headers) => headers.delete("X-Request-Id")),
  ),
  mutant("request-id-missing-on-errors", ["RBS-ANSWER-06"], "Error responses have no X-Request-Id", () =>
    onHeaders((headers, status) => status >= 400 && headers.delete("X-Request-Id")),
  ),
  mutant("request-id-missing-on-unknown-paths", ["RBS-ANSWER-06"], "Unknown paths return no X-Request-Id", () =>
    onFailure("NotFound", () => ({ headers: { "X-Request-Id": undefined } })),
  ),
  mutant("request-id-constant", ["RBS-ANSWER-08"], "All responses have the same request id", () =>
    onAnswer("*", ({ body }) => ({
      body: "requestId" in body ? { ...body, requestId: "request-1" } : body,
      headers: { "X-Request-Id": "request-1" },
    })),
  ),
  mutant("request-id-endless", ["RBS-ANSWER-06"], "Request ids have 200 characters", () =>
    onHeaders((headers) => headers.set("X-Request-Id", (headers.get("X-Request-Id") ?? "").padEnd(200, "0"))),
  ),
  mutant("www-authenticate-missing", ["RBS-AUTH-03", "RBS-ANSWER-10"], "401 responses have no WWW-Authenticate", () =>
    onHeaders((headers) => headers.delete("WWW-Authenticate")),
  ),
  mutant("www-authenticate-basic", ["RBS-AUTH-03", "RBS-ANSWER-10"], "401 responses request Basic authentication", () =>
    onHeaders((headers, status) => status === 401 && headers.set("WWW-Authenticate", 'Basic realm="browsers"')),
  ),
  mutant("allow-missing", ["RBS-PATH-03", "RBS-ANSWER-10", "RBS-FUZZ-08"], "405 responses have no Allow header", () =>
    onHeaders((headers) => headers.delete("Allow")),
  ),
  mutant("allow-wrong", ["RBS-PATH-03"], "The Allow header lists unsupported methods", () =>
    onHeaders((headers, status) => status === 405 && headers.set("Allow", "PUT, DELETE")),
  ),
  mutant("retry-after-missing", ["RBS-RATE-01", "RBS-ANSWER-10"], "429 responses have no Retry-After header", () =>
    onHeaders((headers, status) => status === 429 && headers.delete("Retry-After")),
  ),
  mutant("retry-after-date", ["RBS-RATE-01", "RBS-ANSWER-10"], "Retry-After is a date, not a number of seconds", () =>
    onHeaders(
      (headers, status) => status === 429 && headers.set("Retry-After", new Date(Date.now() + 5000).toUTCString()),
    ),
  ),
];
