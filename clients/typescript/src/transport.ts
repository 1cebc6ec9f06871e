import createFetcher from "openapi-fetch";
import { OPERATIONS, type OperationId } from "./generated/operations.ts";
import type { operations, paths } from "./generated/types.ts";
import { readText } from "./read-text.ts";
import type { Settings } from "./settings.ts";

/** What an operation is sent; undefined where it takes nothing. */
export type BodyOf<Id extends OperationId> = operations[Id] extends {
  requestBody?: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;

/** What an operation answers with success. */
export type AnswerOf<Id extends OperationId> = operations[Id]["responses"][200]["content"]["application/json"];

/** An answer with its whole body: the text of a success, and whatever an error is. */
export type Answer = { readonly data?: string; readonly error?: unknown; readonly response: Response };

/**
 * Sends one request and reads the whole answer.
 * @param body JSON text, or undefined.
 * @throws {InvalidAnswerError} When the answer is longer than any that the contract knows.
 * @throws What `fetch` throws.
 */
export type Send = (operation: OperationId, body: string | undefined, signal: AbortSignal) => Promise<Answer>;

type Request = (
  method: string,
  path: string,
  init: { body: string | undefined; signal: AbortSignal; parseAs: "text" },
) => Promise<Answer>;

export function createSend({ url, headers, fetch }: Settings): Send {
  const fetcher = createFetcher<paths>({
    baseUrl: url,
    headers,
    async fetch(sent) {
      const response = await fetch(sent);
      const { body } = response;
      // Node's own `text` has no bound.
      return body === null ? response : Object.defineProperty(response, "text", { value: async () => readText(body) });
    },
    // A redirect could take the token elsewhere, or turn an Open into a GET.
    redirect: "manual",
    credentials: "omit",
    // Bodies are written once a call, however often it is repeated.
    bodySerializer: (text) => text,
  });
  // Its own types cannot follow an operation that is a parameter, and let misspelt members pass; BodyOf does not.
  const request = fetcher.request as unknown as Request;
  return async (operation, body, signal) => {
    const { method, path } = OPERATIONS[operation];
    return request(method, path, { body, signal, parseAs: "text" });
  };
}
