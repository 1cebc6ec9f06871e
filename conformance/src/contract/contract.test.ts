import { expect, test } from "vitest";
import { operationsOf } from "./contract.ts";

test.each<[string, string, string[], string[]]>([
  ["a sentence of an operation", "#/paths/~1api~1v1~1Browser~1Get/get/description", [], ["getBrowsers"]],
  ["a schema that only Open refers to", "#/components/schemas/Proxy/properties/Host", [], ["openBrowser"]],
  ["a response that a rule provokes", "#/info/description", ["queryAi 400"], ["queryAi"]],
  ["a schema of all responses", "#/components/schemas/RequestId", [], []],
  ["the introduction", "#/info/description", [], []],
])("%s refers to its operations", (_, at, covers, expected) => {
  expect(operationsOf({ at, covers })).toEqual(expected);
});
