import { expect, test } from "vitest";
import { failureStatus, operations } from "../generated/operations.ts";
import { jsonOf, listOperations, resolve, toSchemaName } from "../scripts/contract.ts";
import { listFailures } from "../scripts/failures.ts";
import { readContract } from "./read-contract.ts";

const contract = readContract();
const placed = listOperations(contract);
const failureOf = new Map(listFailures(contract).map((failure) => [failure.schema, failure]));

test("the table lists the operations in the contract's order", () => {
  expect(Object.keys(operations)).toEqual(placed.map(({ operation }) => operation.operationId));
  expect(Object.keys(operations)).toEqual([
    "openBrowser",
    "closeBrowser",
    "getBrowsers",
    "getBrowserInfo",
    "getBrowserHistory",
    "waitForBrowser",
    "updateBrowser",
    "closeAllBrowsers",
    "takeScreenshot",
    "takeScreenshotImage",
    "startRemoteDesktop",
    "stopRemoteDesktop",
    "getAccount",
    "queryAi",
  ]);
});

test("paths are spelled as in the source document", () => {
  expect(Object.values(operations).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "post /api/v1/Browser/Open",
    "post /api/v1/Browser/Close",
    "get /api/v1/Browser/Get",
    "post /api/v1/Browser/Info",
    "post /api/v1/Browser/History",
    "post /api/v1/Browser/Wait",
    "post /api/v1/Browser/Update",
    "post /api/v1/Browser/CloseAll",
    "post /api/v1/Browser/Screenshot",
    "get /api/v1/Browser/ScreenshotImage",
    "post /api/v1/Browser/StartRemoteDesktop",
    "post /api/v1/Browser/StopRemoteDesktop",
    "get /api/v1/Account/Get",
    "post /api/v1/ai/Query",
  ]);
});

test.each(placed)("the row of $operation.operationId matches the contract", ({ path, method, operation }) => {
  const row = operations[operation.operationId as keyof typeof operations];
  const body = operation.requestBody && resolve(contract, operation.requestBody);
  const answers = Object.entries(operation.responses).map(([status, response]) => ({
    status: Number(status),
    response: resolve(contract, response),
  }));
  const success = answers.find(({ status }) => status < 400);
  const failures = answers
    .filter((answer) => answer !== success)
    .map(({ status, response }) => ({
      status,
      name: failureOf.get(toSchemaName(jsonOf(response).schema))?.name ?? "",
    }));
  expect(row).toEqual({
    method,
    path,
    tag: operation.tags[0],
    maxBodyBytes: operation["x-max-body-bytes"] ?? null,
    requestSchema: body ? toSchemaName(jsonOf(body).schema) : null,
    isBodyRequired: body?.required ?? false,
    successStatus: success?.status,
    successTypes: Object.keys(success?.response.content ?? {}),
    isPreview: "x-stability" in operation,
    failures: failures.map(({ name }) => name),
  });
  expect(failureStatus).toMatchObject(Object.fromEntries(failures.map(({ name, status }) => [name, status])));
});

test("the unexpected error has the HTTP status 500, and the status 0 in its body", () => {
  expect(failureStatus.Unknown).toBe(500);
  expect(failureOf.get("UnknownError")?.bodyStatus).toBe(0);
});

test("the table includes the errors of requests that match no operation", () => {
  expect(failureStatus).toMatchObject({ NotFound: 404, MethodNotAllowed: 405 });
});

test("every error belongs to an operation, or to requests that match no operation", () => {
  const answered = new Set<string>(Object.values(operations).flatMap(({ failures }) => [...failures]));
  const others = Object.keys(failureStatus).filter((name) => !answered.has(name));
  expect(others.toSorted()).toEqual(Object.keys(contract["x-answers-of-other-requests"]).toSorted());
});
