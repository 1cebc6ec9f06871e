import createFetcher from "openapi-fetch";
import { type Bodies, OPERATIONS, type OperationId } from "./generated/operations.ts";
import { readBytes, readText } from "./read-text.ts";
import type { Settings } from "./settings.ts";

/** An operation's request body, or its query; undefined if the operation has neither. */
export type BodyOf<Id extends OperationId> = Bodies[Id]["body"];

/** The body of an operation's successful response. */
export type AnswerOf<Id extends OperationId> = Bodies[Id]["answer"];

/** A response with its complete body: the text or bytes of a successful response, or the body of an error. */
export type Answer = { readonly data?: string | ArrayBuffer; readonly error?: unknown; readonly response: Response };

/**
 * Sends one request and reads the complete response.
 * @param body JSON text, the query of a GET request, or undefined.
 * @param key The `Idempotency-Key`, or undefined.
 * @throws {InvalidAnswerError} If the response is larger than any response in the contract.
 * @throws The error from `fetch`.
 */
export type Send = (
  operation: OperationId,
  body: string | undefined,
  signal: AbortSignal,
  key?: string,
) => Promise<Answer>;

type Request = (
  method: string,
  path: string,
  init: {
    body: string | undefined;
    signal: AbortSignal;
    headers: Record<string, string>;
    parseAs: "text" | "arrayBuffer";
  },
) => Promise<Answer>;

export function createSend({ url, headers, fetch }: Settings): Send {
  const fetcher = createFetcher<Record<string, never>>({
    baseUrl: url,
    headers,
    async fetch(sent) {
      const response = await fetch(sent);
      const { body } = response;
      // Node's own methods don't limit the size.
      return body === null
        ? response
        : Object.defineProperties(response, {
            text: { value: async () => readText(body) },
            arrayBuffer: { value: async () => readBytes(body) },
          });
    },
    // Following a redirect could send the token to another server, or turn an Open request into a GET.
    redirect: "manual",
    credentials: "omit",
    // The body is serialized once per call.
    bodySerializer: (text) => text,
  });
  // Unlike BodyOf, openapi-fetch's own types don't support a variable operation, and allow misspelled members.
  const request = fetcher.request as unknown as Request;
  return async (operation, body, signal, key) => {
    const { method, path, answer } = OPERATIONS[operation];
    const ofRequest = key === undefined ? {} : { "idempotency-key": key };
    const parseAs = isMediaTypes(answer) ? "arrayBuffer" : "text";
    const isQuery = method === "get" && body !== undefined;
    const init = { body: isQuery ? undefined : body, signal, headers: ofRequest, parseAs } as const;
    return request(method, isQuery ? `${path}?${body}` : path, init);
  };
}

/** Whether a response consists of bytes of one of these media types. */
export function isMediaTypes(answer: object): answer is readonly string[] {
  return Array.isArray(answer);
}
