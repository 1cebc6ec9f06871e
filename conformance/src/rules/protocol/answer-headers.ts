import { at, declaredResponse } from "../../contract/contract.ts";
import { schemaErrors } from "../../contract/schemas.ts";
import { INFO } from "../pointers.ts";
import { toObject } from "../../target/json.ts";
import type { Exchange } from "../../target/exchange.ts";
import { ofAnswers } from "./answers.ts";

const REQUEST_ID = "#/components/headers/X-Request-Id";

/** Shorter tokens could appear in a response by chance. */
const MIN_TOKEN_LENGTH = 12;

/** The first response with each request id. */
const firstWith = new Map<string, Exchange>();

/** Headers of every response. */
export const ANSWER_HEADER_RULES = ofAnswers([
  {
    id: "RBS-ANSWER-06",
    at: INFO,
    sentence: "Every response also has the `X-Request-Id` header; quote it when you ask the operator about a request.",
    judge: ({ received: { headers } }) => {
      const id = headers["x-request-id"];
      if (id === undefined) return { expected: "the header X-Request-Id", seen: "none" };
      const wrong = schemaErrors(`${REQUEST_ID}/schema`, id);
      if (wrong.length === 0) return undefined;
      return { expected: "an X-Request-Id of 1 to 128 characters", seen: wrong.join("; ") };
    },
  },
  {
    id: "RBS-ANSWER-07",
    at: `${REQUEST_ID}/description`,
    sentence: "An error body repeats it as `requestId`.",
    judge: ({ received: { status, headers, json } }) => {
      const { requestId } = toObject(json);
      const id = headers["x-request-id"];
      if (status < 400 || id === undefined || requestId === undefined || requestId === id) return undefined;
      return { expected: "requestId to equal X-Request-Id", seen: "that they differ" };
    },
  },
  {
    id: "RBS-ANSWER-08",
    at: "#/components/headers/X-Request-Id/description",
    sentence: "no two requests have the same",
    judge: (exchange) => {
      const id = exchange.received.headers["x-request-id"];
      if (id === undefined) return undefined;
      const first = firstWith.get(id) ?? exchange;
      firstWith.set(id, first);
      if (first === exchange) return undefined;
      return { expected: "a unique X-Request-Id", seen: "the X-Request-Id of an earlier response" };
    },
  },
  {
    id: "RBS-ANSWER-10",
    at: INFO,
    sentence: "A header that a response lists as required is always present.",
    judge: ({ operation, received: { status, headers } }) => {
      for (const [name, { pointer, required }] of Object.entries(declaredResponse(operation, status)?.headers ?? {})) {
        const value = headers[name];
        if (name === "x-request-id" || (value === undefined && !required)) continue;
        if (value === undefined) return { expected: `the ${name} header with status ${status}`, seen: "none" };
        const wrong = schemaErrors(`${pointer}/schema`, isInteger(`${pointer}/schema`) ? Number(value) : value);
        if (wrong.length > 0)
          return { expected: `a valid ${name} header with status ${status}`, seen: JSON.stringify(value) };
      }
      return undefined;
    },
  },
  {
    id: "RBS-ANSWER-11",
    at: "#/components/securitySchemes/bearerAuth/description",
    sentence: "No response ever contains it.",
    judge: ({ sent, received: { headers, text } }) => {
      const [, token = ""] = /^\w+ (.*)$/.exec(sent.headers["Authorization"] ?? "") ?? [];
      if (token.length < MIN_TOKEN_LENGTH) return undefined;
      if (![text, ...Object.values(headers)].some((each) => each.includes(token))) return undefined;
      return { expected: "a response that doesn't contain the token", seen: "a response that contains the token" };
    },
  },
]);

function isInteger(pointer: string): boolean {
  return toObject(at(pointer))["type"] === "integer";
}
