import { operations } from "@remote-browser/contract/operations";
import type { Mutant } from "../mutant.ts";
import { onAnswer, onCall, onFailure, onRefusal, pathOf, refusal } from "./alter.ts";

const PATHS = Object.values(operations).map(({ path }) => path);
const isOurs = (request: Request): boolean => PATHS.some((path) => path.toLowerCase() === pathOf(request));
const isAnonymous = (request: Request): boolean => !request.headers.has("authorization");

function isJson(text: string): boolean {
  try {
    JSON.parse(text || "{}");
    return true;
  } catch {
    return false;
  }
}

/** Paths, methods, and the order of checks. */
export const PATH_MUTANTS: readonly Mutant[] = [
  {
    id: "path-case",
    title: "Paths are case-sensitive",
    killedBy: ["RBS-PATH-01"],
    fault: () =>
      onCall((request) =>
        isOurs(request) && !PATHS.some((path) => path === new URL(request.url).pathname)
          ? refusal("NotFound")
          : undefined,
      ),
  },
  {
    id: "path-prefix",
    title: "Paths only have to begin with the path of an operation",
    killedBy: ["RBS-PATH-02"],
    fault: () => ({
      answer(request, next) {
        const url = new URL(request.url);
        const path = PATHS.find((each) => pathOf(request).startsWith(`${each.toLowerCase()}/`));
        if (path !== undefined) url.pathname = path;
        return next(path === undefined ? request : new Request(url, request));
      },
    }),
  },
  {
    id: "path-unknown-401",
    title: "Unknown paths require a token",
    killedBy: ["RBS-PATH-02"],
    fault: () =>
      onCall((request) =>
        isAnonymous(request) && pathOf(request).startsWith("/api/") && !isOurs(request)
          ? refusal("AuthorizationError")
          : undefined,
      ),
  },
  {
    id: "path-unknown-200",
    title: "Unknown paths answer 200 with an empty object",
    killedBy: ["RBS-PATH-02"],
    fault: () => onFailure("NotFound", () => ({ status: 200, body: {} })),
  },
  {
    id: "path-method-404",
    title: "An unknown method answers 404",
    killedBy: ["RBS-PATH-03"],
    fault: () =>
      onFailure("MethodNotAllowed", ({ body }) => ({
        status: 404,
        body: { ...body, status: 404, name: "NotFound" },
        headers: { Allow: undefined },
      })),
  },
  {
    id: "path-method-any",
    title: "Get accepts POST",
    killedBy: ["RBS-PATH-03"],
    fault: () => ({
      answer: (request, next) =>
        next(
          pathOf(request) === operations.getBrowsers.path.toLowerCase() && request.method === "POST"
            ? new Request(request.url, { headers: request.headers })
            : request,
        ),
    }),
  },
  {
    id: "order-token-before-method",
    title: "The token is checked before the method",
    killedBy: ["RBS-PATH-04"],
    fault: () =>
      onRefusal(({ status, body }, request) =>
        status === 405 && isAnonymous(request)
          ? {
              status: 401,
              body: { ...body, status: 401, name: "AuthorizationError" },
              headers: { Allow: undefined, "WWW-Authenticate": "Bearer" },
            }
          : {},
      ),
  },
  {
    id: "order-content-before-token",
    title: "The body is read before the token is checked",
    killedBy: ["RBS-PATH-04"],
    fault: () =>
      onCall((request, body) =>
        isOurs(request) && request.method === "POST" && !isJson(body) ? refusal("BadRequest", "") : undefined,
      ),
  },
  {
    id: "order-size-before-token",
    title: "The size of the body is checked before the token",
    killedBy: ["RBS-PATH-04"],
    fault: () =>
      onCall((request) =>
        isOurs(request) && isAnonymous(request) && Number(request.headers.get("content-length")) > 65_536
          ? refusal("PayloadTooLarge")
          : undefined,
      ),
  },
  {
    id: "order-media-before-size",
    title: "The media type is checked before the size",
    killedBy: ["RBS-PATH-04"],
    fault: () =>
      onFailure("PayloadTooLarge", ({ body }, request) =>
        /json/i.test(request.headers.get("content-type") ?? "json")
          ? {}
          : { status: 415, body: { ...body, status: 415, name: "UnsupportedMediaType" } },
      ),
  },
  {
    id: "order-content-before-media",
    title: "The content is checked before the media type",
    killedBy: ["RBS-PATH-04"],
    fault: () =>
      onCall((request, body) =>
        isOurs(request) && !isAnonymous(request) && body.length <= 65_536 && !isJson(body)
          ? refusal("BadRequest", "")
          : undefined,
      ),
  },
  {
    id: "order-browser-before-content",
    title: "Close looks for the browser before it checks the content",
    killedBy: ["RBS-BODY-09"],
    fault: () =>
      onAnswer("closeBrowser", ({ body: { errors, ...body } }) =>
        Array.isArray(errors) && errors.some((each: { path?: unknown }) => each.path === "/address")
          ? { status: 404, body: { ...body, status: 404, name: "BrowserNotFound" } }
          : {},
      ),
  },
  {
    id: "contract-not-served",
    title: "The path /openapi.json does not exist",
    killedBy: ["RBS-PATH-05"],
    fault: () => onCall((request) => (pathOf(request) === "/openapi.json" ? refusal("NotFound") : undefined)),
  },
  {
    id: "contract-of-another-version",
    title: "The contract at /openapi.json is another version, without Query",
    killedBy: ["RBS-PATH-05"],
    fault: () =>
      onAnswer("*", ({ body }, request) => {
        if (pathOf(request) !== "/openapi.json") return {};
        const { [operations.queryAi.path]: _, ...paths } = body["paths"] as Record<string, unknown>;
        return { body: { ...body, info: { ...(body["info"] as object), version: "2.0.0" }, paths } };
      }),
  },
];
