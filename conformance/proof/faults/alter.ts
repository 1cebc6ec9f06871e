import { randomUUID } from "node:crypto";
import { type FailureName, type OperationId, failureStatus, operations } from "@remote-browser/contract/operations";
import { isObject, parse } from "../../src/target/json.ts";
import type { Fault } from "../mutant.ts";

/** A response whose body is a JSON object. */
export type Answered = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers };

/** Changes to a response. Omitted members don't change. */
type Altered = {
  readonly status?: number;
  /** Strings are sent unchanged. */
  readonly body?: unknown;
  /** Headers to set. A value of undefined removes the header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

/** Alters an operation's responses. With `*`, alters all responses. */
export function onAnswer(id: OperationId | "*", alter: (answer: Answered, request: Request) => Altered): Fault {
  return {
    async answer(request, next) {
      const response = await next(request);
      if (id !== "*" && !isFor(request, id)) return response;
      if (!(response.headers.get("content-type") ?? "").startsWith("application/json")) return response;
      const answer = {
        status: response.status,
        body: (await response.json()) as Record<string, unknown>,
        headers: response.headers,
      };
      return toResponse(answer, alter(answer, request));
    },
  };
}

/** Alters the bodies of an operation's successful responses. */
export function onSuccess(id: OperationId | "*", alter: (body: Answered["body"], request: Request) => unknown): Fault {
  return onAnswer(id, ({ status, body }, request) => (status === 200 ? { body: alter(body, request) } : {}));
}

/** Alters a string in an operation's responses. */
export function onText(id: OperationId, name: string, alter: (text: string, body: Answered["body"]) => string): Fault {
  return onAnswer(id, ({ body }) => {
    const text = body[name];
    return typeof text === "string" ? { body: { ...body, [name]: alter(text, body) } } : {};
  });
}

/** Alters error responses. */
export function onRefusal(alter: (answer: Answered, request: Request) => Altered): Fault {
  return onAnswer("*", (answer, request) => (answer.status < 400 ? {} : alter(answer, request)));
}

/** Alters error responses with this name. */
export function onFailure(name: FailureName, alter: (answer: Answered, request: Request) => Altered): Fault {
  return onRefusal((answer, request) => (answer.body["name"] === name ? alter(answer, request) : {}));
}

/** Alters request bodies that are JSON objects before the server reads them. Passes on other bodies unchanged. */
export function onRequest(id: OperationId, alter: (body: Record<string, unknown>, request: Request) => unknown): Fault {
  return {
    async answer(request, next) {
      if (!isFor(request, id)) return next(request);
      const { text, members } = await readBody(request);
      return next(withBody(request, members === undefined ? text : JSON.stringify(alter(members, request))));
    },
  };
}

/** Alters one member in request bodies. @param alter Returns undefined to omit the member. */
export function onMember(id: OperationId, name: string, alter: (value: unknown) => unknown): Fault {
  return onRequest(id, (body) => ({ ...body, [name]: alter(body[name]) }));
}

/** Replaces some responses. @param answer Returns undefined to pass the request to the server. */
export function onCall(answer: (request: Request, body: string) => Response | undefined): Fault {
  return {
    async answer(request, next) {
      if (request.method === "GET" || request.method === "HEAD") return answer(request, "") ?? next(request);
      const { text } = await readBody(request);
      return answer(request, text) ?? next(withBody(request, text));
    },
  };
}

/** Rejects some JSON bodies. @param findWrong Returns a JSON Pointer to the value to reject, or undefined. */
export function refuseBody(
  id: OperationId,
  findWrong: (body: Readonly<Record<string, unknown>>, request: Request) => string | undefined,
): Fault {
  return onCall((request, text) => {
    const body = isFor(request, id) ? parse(text) : undefined;
    const wrong = isObject(body) ? findWrong(body, request) : undefined;
    return wrong === undefined ? undefined : refusal("BadRequest", wrong);
  });
}

/** Rejects requests without a body. @param path The path in the `errors` of a `BadRequest`. */
export function refuseEmpty(id: OperationId, name: FailureName, path?: string): Fault {
  return onCall((request, body) =>
    isFor(request, id) && body === "" && request.headers.has("authorization") ? refusal(name, path) : undefined,
  );
}

/** Makes Open return this failure before it checks the options. */
export function beforeContent(name: FailureName): Fault {
  return {
    async answer(request, next) {
      const { method, headers } = request;
      const call = (path: string, body: object): Promise<Response> =>
        next(withBody(new Request(new URL(path, request.url), { method, headers }), JSON.stringify(body)));
      const response = await next(request);
      if (response.status !== 400 || !isFor(request, "openBrowser")) return response;
      const other = await call(operations.openBrowser.path, { Headless: true });
      const { name: seen, address } = (await other.clone().json()) as { name?: unknown; address?: unknown };
      if (seen === name) return other;
      if (address !== undefined) await call(operations.closeBrowser.path, { address });
      return response;
    },
  };
}

/** Replaces one of the server's failures with another. @param errors The `errors` of a `BadRequest`. */
export function failing(name: FailureName, body: Answered["body"], errors?: readonly object[]): Altered {
  const status = failureStatus[name];
  return { status, body: { ...body, status, name, ...(errors === undefined ? {} : { errors }) } };
}

/** Returns an error response that follows the contract, without calling the server. */
export function refusal(name: FailureName, path?: string): Response {
  const [status, requestId] = [failureStatus[name], randomUUID()];
  const errors = path === undefined ? {} : { errors: [{ path, message: "is refused" }] };
  const headers = { "X-Request-Id": requestId, ...(status === 401 ? { "WWW-Authenticate": "Bearer" } : {}) };
  return Response.json({ status, name, message: "This is refused.", requestId, ...errors }, { status, headers });
}

export function isFor(request: Request, id: OperationId): boolean {
  const { path, method } = operations[id];
  return pathOf(request) === path.toLowerCase() && request.method.toLowerCase() === method;
}

/** Returns a request's path in lower case. */
export function pathOf(request: Request): string {
  return new URL(request.url).pathname.toLowerCase();
}

/** Reads a request body. `members` is undefined unless the body is a JSON object. */
export async function readBody(
  request: Request,
): Promise<{ text: string; json: unknown; members: Record<string, unknown> | undefined }> {
  const text = await request.text();
  const json = parse(text);
  return { text, json, members: isObject(json) && !Array.isArray(json) ? json : undefined };
}

export function withAuthorization(request: Request, authorization: string): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", authorization);
  return new Request(request, { headers });
}

/** Copies a request, replacing its body. */
export function withBody(request: Request, body: string): Request {
  const headers = new Headers(request.headers);
  // The server relies on Content-Length, which a request without a body doesn't have.
  if (headers.has("content-length")) headers.set("content-length", String(Buffer.byteLength(body)));
  const content = body === "" ? {} : { body: Buffer.from(body) };
  // Convert the body to a Buffer, because Request adds a Content-Type for strings.
  return new Request(request.url, { method: request.method, headers, signal: request.signal, ...content });
}

function toResponse(answer: Answered, altered: Altered): Response {
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  for (const [name, value] of Object.entries(altered.headers ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  const { status = answer.status, body = answer.body } = altered;
  const content = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(status === 204 ? null : content, { status, headers });
}
