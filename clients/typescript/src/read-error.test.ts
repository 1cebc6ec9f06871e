import { inspect } from "node:util";
import { expect, expectTypeOf, test } from "vitest";
import { ERROR_CLASSES } from "./generated/error-classes.ts";
import type { ErrorName } from "./generated/errors.ts";
import { ApiError, BadRequestError, type BrowserLimitError, RemoteBrowserError } from "./index.ts";
import { readError } from "./read-error.ts";
import { RETRY_RULES } from "./retry-rules.ts";

const TOKEN = "rbs_secret";

const body = (name: string, more: object = {}) => ({ status: 404, name, message: "Why.", requestId: "r1", ...more });

function read(error: unknown, status = 404, headers: Record<string, string> = {}) {
  return readError({ error, response: new Response(null, { status, headers }) }, { token: TOKEN, url: "https://h/eu" });
}

test("every error name in the contract has a class and a retry rule", () => {
  expect([...ERROR_CLASSES.keys()].toSorted()).toStrictEqual(Object.keys(RETRY_RULES).toSorted());
  for (const [name, Class] of ERROR_CLASSES) {
    const { error, isOurs } = read(body(name));
    expect(error.constructor).toBe(Class);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(RemoteBrowserError);
    expect(isOurs).toBe(true);
  }
});

test("an error contains the status, the name, the request id and Retry-After", () => {
  const { error } = read(body("BrowserLimit"), 404, { "Retry-After": "7" });
  expect(error).toMatchObject({ status: 404, name: "BrowserLimit", requestId: "r1", retryAfter: 7 });
  expect(error.message).toBe("Why. (BrowserLimit, HTTP 404, request r1)");
  expect(inspect(error)).toContain("BrowserLimit: Why. (BrowserLimit, HTTP 404, request r1)");
});

test("the status comes from HTTP, not from the body", () => {
  expect(read({ ...body("Unknown"), status: 0 }, 500).error.status).toBe(500);
});

test("a BadRequest response becomes a BadRequestError that lists any invalid members", () => {
  const errors = [{ path: "/Args/0", message: "No." }];
  expect(read(body("BadRequest", { errors }), 400).error).toMatchObject({ errors });
  expect(read(body("BadRequest"), 400).error).toMatchObject({ errors: [] });
  expect(read(body("BadRequest"), 400).error).toBeInstanceOf(BadRequestError);
});

test("a BadRequestError's list omits unknown members and secrets", () => {
  const errors = [1, null, { path: 1 }, { path: "/Label", message: `No ${TOKEN}.`, more: 1 }];
  expect(read(body("BadRequest", { errors }), 400).error).toMatchObject({
    errors: [{ path: "/Label", message: "No …." }],
  });
});

test("the token is hidden in an error's name and in its request id", () => {
  const { error } = read(body(TOKEN, { requestId: TOKEN }));
  expect(inspect(error)).not.toContain(TOKEN);
  expect(inspect(read("", 502, { "X-Request-Id": TOKEN }).error)).not.toContain(TOKEN);
});

test("deeply nested JSON is treated as a gateway error", () => {
  const deep: unknown = JSON.parse("[".repeat(200_000) + "]".repeat(200_000));
  expect(read(deep, 500).error).toMatchObject({ name: "", status: 500 });
});

test("an error with only a name is from the service; missing members are empty or come from HTTP", () => {
  const thin = read({ name: "BadRequest", message: 1, requestId: "", errors: "no" }, 400, { "X-Request-Id": "h1" });
  expect(thin.isOurs).toBe(true);
  expect(thin.error).toBeInstanceOf(BadRequestError);
  expect(thin.error).toMatchObject({ status: 400, requestId: "h1", errors: [] });
  expect(thin.error.message).toBe("(BadRequest, HTTP 400, request h1)");
  expect(read({ name: "NoUnits" }, 403).error.requestId).toBe("");
});

test.each([
  [
    "https://elsewhere:8443/a?b=secret#c",
    "The response redirects to https://elsewhere:8443, and redirects are not followed",
  ],
  ["/eu/", "The response redirects to https://h, and redirects"],
  ["javascript:1", "The response redirects elsewhere, and redirects"],
])("the error for a redirect to %s names the redirect's origin", (location, words) => {
  const { error } = read(`<a href="${location}">`, 302, { Location: location });
  expect(error.message).toContain(words);
  expect(error.message).not.toContain("secret");
});

test("an error whose name the client doesn't recognize keeps its name", () => {
  const { error, isOurs } = read(body("SomethingNew"), 409);
  expect({ isOurs, name: error.name, isPlain: error.constructor === ApiError }).toStrictEqual({
    isOurs: true,
    name: "SomethingNew",
    isPlain: true,
  });
});

test.each([
  ["a page", "<html>\n  <h1>Bad gateway</h1>", "<html> <h1>Bad gateway</h1>"],
  ["an empty body", undefined, "it is empty"],
  ["other JSON", { error: "no" }, '{"error":"no"}'],
  ["JSON with an empty name", { name: "" }, '{"name":""}'],
  ["JSON that isn't an object", [{ name: "ProviderError" }], "ProviderError"],
])("%s is not from the service", (_what, error, words) => {
  const refusal = read(error, 502, { "X-Request-Id": "g1" });
  expect(refusal.isOurs).toBe(false);
  expect(refusal.error.constructor).toBe(ApiError);
  expect(refusal.error).toMatchObject({ status: 502, name: "", requestId: "g1", retryAfter: null });
  expect(refusal.error.message).toContain(words);
});

test("a long page is truncated", () => {
  expect(read("x".repeat(9999), 502).error.message.length).toBeLessThan(320);
});

test("text from other servers is shown without the token or addresses", () => {
  const words = `No ${TOKEN} at ws://h/devtools/browser/abcdef-_12, http://h/desktop/abcdef-_12#pw`;
  for (const { error } of [read(words, 502), read(body("Unknown", { message: words }))]) {
    expect(error.message).toContain("No … at ws://h/devtools/browser/…");
    expect(error.message).not.toMatch(/secret|abcdef|pw/);
  }
});

test("Retry-After is read only as a whole number of seconds", () => {
  for (const [header, seconds] of [
    ["1", 1],
    ["0", 0],
    ["12345678901", 12_345_678_901],
    ["+1", null],
    ["1.5", null],
    ["Fri, 31 Dec 2027 23:59:59 GMT", null],
  ] as const) {
    expect(read(body("TooManyRequests"), 429, { "Retry-After": header }).error.retryAfter).toBe(seconds);
  }
});

test("the compiler distinguishes the classes by name and status", () => {
  expectTypeOf<BrowserLimitError["name"]>().toEqualTypeOf<"BrowserLimit">();
  expectTypeOf<BrowserLimitError["status"]>().toEqualTypeOf<404>();
  // @ts-expect-error a name is missing, as when the contract adds one
  const _rules: Record<ErrorName, string> = { BadRequest: "never" };
  expect(_rules).toBeDefined();
});
