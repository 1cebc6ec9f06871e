import { operations } from "@remote-browser/contract/operations";
import { parse } from "../../../src/target/json.ts";
import { type Mutant, mutant } from "../../mutant.ts";
import { failing, onAnswer, onCall, onFailure, onRefusal, pathOf, refusal } from "../../faults/alter.ts";

const PATHS = Object.values(operations).map(({ path }) => path);
const isOurs = (request: Request): boolean => PATHS.some((path) => path.toLowerCase() === pathOf(request));
const isAnonymous = (request: Request): boolean => !request.headers.has("authorization");

const isJson = (text: string): boolean => text === "" || parse(text) !== undefined;

/** Faults in paths, methods, and the order of checks. */
export const PATH_MUTANTS: readonly Mutant[] = [
  mutant("path-case", ["RBS-PATH-01"], "Paths are case-sensitive", () =>
    onCall((request) =>
      isOurs(request) && !PATHS.some((path) => path === new URL(request.url).pathname)
        ? refusal("NotFound")
        : undefined,
    ),
  ),
  mutant("path-prefix", ["RBS-PATH-02"], "A path that only begins with an operation's path is accepted", () => ({
    answer(request, next) {
      const url = new URL(request.url);
      const path = PATHS.find((each) => pathOf(request).startsWith(`${each.toLowerCase()}/`));
      if (path !== undefined) url.pathname = path;
      return next(path === undefined ? request : new Request(url, request));
    },
  })),
  mutant("path-unknown-401", ["RBS-PATH-02"], "Unknown paths require a token", () =>
    onCall((request) =>
      isAnonymous(request) && pathOf(request).startsWith("/api/") && !isOurs(request)
        ? refusal("AuthorizationError")
        : undefined,
    ),
  ),
  mutant("path-unknown-200", ["RBS-PATH-02"], "Requests for unknown paths return 200 with an empty object", () =>
    onFailure("NotFound", () => ({ status: 200, body: {} })),
  ),
  mutant("path-method-404", ["RBS-PATH-03"], "A request with an unknown method returns 404", () =>
    onFailure("MethodNotAllowed", ({ body }) => ({
      status: 404,
      body: { ...body, status: 404, name: "NotFound" },
      headers: { Allow: undefined },
    })),
  ),
  mutant("path-method-any", ["RBS-PATH-03"], "Get accepts POST", () => ({
    answer: (request, next) =>
      next(
        pathOf(request) === operations.getBrowsers.path.toLowerCase() && request.method === "POST"
          ? new Request(request.url, { headers: request.headers })
          : request,
      ),
  })),
  mutant("order-token-before-method", ["RBS-PATH-04"], "The token is checked before the method", () =>
    onRefusal(({ status, body }, request) =>
      status === 405 && isAnonymous(request)
        ? {
            status: 401,
            body: { ...body, status: 401, name: "AuthorizationError" },
            headers: { Allow: undefined, "WWW-Authenticate": "Bearer" },
          }
        : {},
    ),
  ),
  mutant("order-content-before-token", ["RBS-PATH-04"], "The body is read before the token is checked", () =>
    onCall((request, body) =>
      isOurs(request) && request.method === "POST" && !isJson(body) ? refusal("BadRequest", "") : undefined,
    ),
  ),
  mutant("order-size-before-token", ["RBS-PATH-04"], "The size of the body is checked before the token", () =>
    onCall((request) =>
      isOurs(request) && isAnonymous(request) && Number(request.headers.get("content-length")) > 65_536
        ? refusal("PayloadTooLarge")
        : undefined,
    ),
  ),
  mutant("order-media-before-size", ["RBS-PATH-04"], "The media type is checked before the size", () =>
    onFailure("PayloadTooLarge", ({ body }, request) =>
      /json/i.test(request.headers.get("content-type") ?? "json") ? {} : failing("UnsupportedMediaType", body),
    ),
  ),
  mutant("order-content-before-media", ["RBS-PATH-04"], "The content is checked before the media type", () =>
    onCall((request, body) =>
      isOurs(request) && !isAnonymous(request) && body.length <= 65_536 && !isJson(body)
        ? refusal("BadRequest", "")
        : undefined,
    ),
  ),
  mutant("order-browser-before-content", ["RBS-BODY-09"], "Close looks up the browser before checking content", () =>
    onAnswer("closeBrowser", ({ body: { errors, ...body } }) =>
      Array.isArray(errors) && errors.some((each: { path?: unknown }) => each.path === "/address")
        ? failing("BrowserNotFound", body)
        : {},
    ),
  ),
  mutant("contract-not-served", ["RBS-PATH-05"], "The path /openapi.json doesn't exist", () =>
    onCall((request) => (pathOf(request) === "/openapi.json" ? refusal("NotFound") : undefined)),
  ),
  mutant("contract-of-another-version", ["RBS-PATH-05"], "The server returns a contract version without Query", () =>
    onAnswer("*", ({ body }, request) => {
      if (pathOf(request) !== "/openapi.json") return {};
      const { [operations.queryAi.path]: _, ...paths } = body["paths"] as Record<string, unknown>;
      return { body: { ...body, info: { ...(body["info"] as object), version: "2.0.0" }, paths } };
    }),
  ),
];
