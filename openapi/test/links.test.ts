import { expect, test } from "vitest";
import { at, jsonOf, listOperations, resolve, type RequestBody, type Schema } from "../scripts/contract.ts";
import { forGenerators } from "../scripts/for-generators.ts";
import { forServing } from "../scripts/for-serving.ts";
import { readContract } from "./read-contract.ts";

const contract = readContract();
const operations = listOperations(contract).map(({ operation }) => operation);
const opened = operations.find(({ operationId }) => operationId === "openBrowser")?.responses["200"];
const links = Object.entries(opened ? (resolve(contract, opened).links ?? {}) : {});

test("Open links to every other Browser operation", () => {
  expect(links.map(([, { operationId }]) => operationId).toSorted()).toEqual([
    "closeBrowser",
    "getBrowsers",
    "startRemoteDesktop",
    "stopRemoteDesktop",
  ]);
});

test.each(links)("%s links to an operation, and copies members that exist in both bodies", (_, link) => {
  const target = operations.find(({ operationId }) => operationId === link.operationId);
  expect(target).toBeDefined();
  const body: RequestBody | undefined = target?.requestBody && resolve(contract, target.requestBody);
  const wanted = body ? (at(contract, jsonOf(body).schema.$ref) as Schema) : {};
  const filled = (link.requestBody ?? {}) as Record<string, string>;
  expect(Object.keys(wanted.properties ?? {})).toEqual(expect.arrayContaining(Object.keys(filled)));
  expect(Object.keys(filled)).toEqual(expect.arrayContaining([...(wanted.required ?? [])]));
  for (const expression of Object.values(filled)) {
    const member = /^\$response\.body#\/(\w+)$/.exec(expression)?.[1];
    expect(contract.components.schemas["OpenResult"]?.required).toContain(member);
  }
});

test.each([
  ["deployments", forServing(contract)],
  ["generators", forGenerators(contract, {})],
])("the contract for %s has all schemas, but no links", (_, served) => {
  expect(JSON.stringify(served)).not.toMatch(/"links"/);
  expect(Object.keys(served.components.schemas)).toEqual(Object.keys(contract.components.schemas));
});
