import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { expect, test } from "vitest";
import type { Contract } from "../../openapi/scripts/contract.ts";
import { listFailures } from "../../openapi/scripts/failures.ts";
import { findFault } from "./fault-proxy/faults.ts";
import { PROVOCATIONS, STAGE_NAMES, fitScenarios, readScenarios } from "./scenario-table.ts";

const scenarios = readScenarios();
const errors = scenarios.flatMap(({ error }) => error ?? []);

test("every error in the contract has a scenario with its status and schema name", () => {
  const ofTable = errors.map(({ name, status, class: schema }) => ({ name, status, schema }));
  const ofContract = listFailures(contract as unknown as Contract).map(({ name, httpStatus, schema }) => ({
    name,
    status: httpStatus,
    schema,
  }));
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  expect(ofTable.toSorted(byName)).toStrictEqual(ofContract.toSorted(byName));
});

test("a scenario's error is triggered on all its stages", () => {
  for (const { id, on, error } of scenarios) {
    if (error === undefined) continue;
    expect(id).toBe(`error.${error.name}`);
    expect(Object.keys(error.provoke).toSorted()).toStrictEqual([...on].toSorted());
    expect(findFault(`answer-${error.name}`)).toBeDefined();
  }
});

test("the scenarios use exactly the provocations that PROVOCATIONS lists", () => {
  const used = errors.flatMap(({ provoke }) => Object.values(provoke));
  expect(new Set(used)).toStrictEqual(new Set(PROVOCATIONS));
});

test("if Chrome is installed, the proxy simulates a missing Chrome", () => {
  const provokedWith = (...kinds: Parameters<typeof fitScenarios>[1][]) =>
    kinds.map(
      (each) => fitScenarios(scenarios, each).find(({ id }) => id === "error.BrowserUnavailable")?.error?.provoke,
    );
  expect(provokedWith(new Set(["chromium"]), new Set(["chromium", "chrome"]))).toStrictEqual([
    { mock: "answer", fake: "missing-kind", real: "missing-kind" },
    { mock: "answer", fake: "missing-kind", real: "answer" },
  ]);
});

test("scenario ids and titles are unique, and each scenario has a stage", () => {
  expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
  for (const { title, on } of scenarios) {
    expect(title, "the title fits into a table cell").not.toContain("|");
    expect(on.length).toBeGreaterThan(0);
    expect(on).toStrictEqual(STAGE_NAMES.filter((name) => on.includes(name)));
  }
});
