import { expect, test } from "vitest";
import { operationsOf } from "./contract.ts";

test.each<[string, string, string[], string[]]>([
  ["a sentence in an operation's description", "#/paths/~1api~1v1~1Browser~1Get/get/description", [], ["getBrowsers"]],
  ["a schema that only Open refers to", "#/components/schemas/Proxy/properties/Host", [], ["openBrowser"]],
  ["a response that a rule provokes", "#/info/description", ["queryAi 400"], ["queryAi"]],
  ["a schema that all responses use", "#/components/schemas/RequestId", [], []],
  ["the introduction", "#/info/description", [], []],
])("%s refers to its operations", (_, at, covers, expected) => {
  expect(operationsOf({ at, covers })).toEqual(expected);
});
