import { failureStatus, operations } from "@remote-browser/contract/operations";
import { declaredResponse } from "../../contract/contract.ts";
import { schemaErrors } from "../../contract/schemas.ts";
import type { ContractVersion } from "../../contract/versions.ts";
import { INFO } from "../pointers.ts";
import type { ExchangeRule } from "../rule.ts";
import type { Complaint } from "../../contract/vocabulary.ts";
import { show } from "../../session/expect.ts";
import { toObject } from "../../target/json.ts";
import type { Exchange } from "../../target/exchange.ts";

const JSON_TYPE = "application/json";

/** Rules about the status and body of every response. */
export const ANSWER_RULES = ofAnswers([
  {
    id: "RBS-ANSWER-01",
    at: INFO,
    sentence: "Every response has a JSON object as its body",
    judge: ({ operation, received: { status, headers, json } }) => {
      const type = headers["content-type"] ?? "no content type";
      const [bare = ""] = type.toLowerCase().split(/\s*;/);
      const declared = declaredResponse(operation, status)?.mediaTypes ?? [JSON_TYPE];
      if (!declared.includes(JSON_TYPE)) {
        return declared.includes(bare) ? undefined : { expected: declared.join(" or "), seen: type };
      }
      const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
      if (isObject && bare === JSON_TYPE) return undefined;
      return { expected: `a JSON object as ${JSON_TYPE}`, seen: isObject ? type : `${type} without a JSON object` };
    },
  },
  {
    id: "RBS-ANSWER-02",
    at: INFO,
    sentence:
      "Every response has a JSON object as its body, and every successful response has the HTTP status 200, unless the operation says otherwise.",
    covers: ["every answer"],
    judge: (exchange, version) => {
      const { operation, received } = exchange;
      if (received.status >= 300 || operation === undefined) return undefined;
      const { successStatus } = operations[operation];
      if (received.status !== successStatus) {
        return { expected: `status ${successStatus} for a successful response`, seen: String(received.status) };
      }
      return judgeBody(exchange, version);
    },
  },
  {
    id: "RBS-ANSWER-03",
    at: INFO,
    sentence: "A refused request has an error body with the members `status`, `name`, `message` and `requestId`.",
    covers: ["every answer"],
    judge: (exchange, version) => (exchange.received.status >= 400 ? judgeBody(exchange, version) : undefined),
  },
  {
    id: "RBS-ANSWER-04",
    at: INFO,
    sentence: "Each operation returns only the statuses and error names that it lists",
    judge: ({ operation, received: { status } }) => {
      if (declaredResponse(operation, status) !== undefined) return undefined;
      const what = operation === undefined ? "a request that matches no operation" : operation;
      return { expected: `a status that the contract declares for ${what}`, seen: String(status) };
    },
  },
  {
    id: "RBS-ANSWER-05",
    at: INFO,
    sentence:
      "If the object has a `status` member, it repeats the HTTP status, except in the `Unknown` error, where it is 0.",
    judge: ({ received }) => {
      const { status, name } = toObject(received.json);
      if (status === undefined) return undefined;
      const expected = name === "Unknown" ? 0 : received.status;
      if (status === expected && (name !== "Unknown" || received.status === 500)) return undefined;
      const seen = `${show(status)}, with HTTP status ${received.status}`;
      const wanted = name === "Unknown" ? "status 0 in an Unknown error, with HTTP status 500" : String(expected);
      return { expected: wanted, seen };
    },
  },
  {
    id: "RBS-ANSWER-09",
    at: INFO,
    sentence: "Each operation returns only the statuses and error names that it lists",
    judge: ({ operation, received: { status, json } }) => {
      if (status < 400) return undefined;
      const declared = operation === undefined ? OF_NO_OPERATION : operations[operation].failures;
      const names = declared.filter((name) => failureStatus[name] === status);
      const { name } = toObject(json);
      if (names.length === 0 || names.some((each) => each === name)) return undefined;
      return { expected: `the error name ${names.join(" or ")} for status ${status}`, seen: show(name) };
    },
  },
]);

const OF_NO_OPERATION = ["NotFound", "MethodNotAllowed"] as const;

/** Completes rules about API responses. The rules ignore web pages and HEAD and OPTIONS requests. */
export function ofAnswers(
  rules: readonly Omit<ExchangeRule, "kind" | "level" | "capability">[],
): readonly ExchangeRule[] {
  return rules.map(({ judge, ...rule }) => ({
    ...{ kind: "exchange", level: "decision", capability: "core", ...rule },
    judge(exchange, version) {
      const { method, url } = exchange.sent;
      const isOurs = /\/api\/v1\//i.test(new URL(url).pathname) && method !== "HEAD" && method !== "OPTIONS";
      return isOurs ? judge(exchange, version) : undefined;
    },
  }));
}

function judgeBody(
  { operation, received: { status, json } }: Exchange,
  version: ContractVersion,
): Complaint | undefined {
  const declared = declaredResponse(operation, status);
  if (declared === undefined || json === undefined || !declared.mediaTypes.includes(JSON_TYPE)) return undefined;
  const wrong = schemaErrors(`${declared.pointer}/content/application~1json/schema`, json, version);
  return wrong.length === 0
    ? undefined
    : { expected: `a body that matches the schema for status ${status}`, seen: wrong.join("; ") };
}
