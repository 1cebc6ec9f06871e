import { expect, test } from "vitest";
import { contractOf, includes, NEWEST_VERSION, operationsIn, toVersion } from "./versions.ts";
import { schemaErrors } from "./schemas.ts";

test.each([
  ["1.0.0", "1.0"],
  ["1.0.7", "1.0"],
  ["1.1.0", "1.1"],
  ["1.12.0", NEWEST_VERSION],
  ["2.0.0", undefined],
  ["one", undefined],
])("a deployment of contract %s is checked as version %s", (text, version) => {
  expect(toVersion(text)).toBe(version);
});

test("the rules quote the newest version of the contract", () => {
  expect(contractOf(NEWEST_VERSION).info.version).toMatch(new RegExp(`^${NEWEST_VERSION}\\.`));
});

test("version 1.0 excludes operations and members from later versions", () => {
  expect(operationsIn("1.0")).toContain("closeBrowser");
  expect(operationsIn("1.0")).not.toContain("getBrowserInfo");
  expect(operationsIn("1.1")).toContain("getBrowserInfo");
  const opened = { status: 200, address: "ws://127.0.0.1/devtools/browser/pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e" };
  expect(schemaErrors("#/components/schemas/OpenResult", opened, "1.0")).toEqual([]);
  expect(schemaErrors("#/components/schemas/OpenResult", opened, "1.1").join()).toContain("'id'");
});

test("previews aren't operations that every deployment has", () => {
  expect(operationsIn(NEWEST_VERSION)).not.toContain("takeScreenshotImage");
});

test("a version includes the additions of earlier versions", () => {
  expect([includes("1.1", "1.0"), includes("1.1", "1.1"), includes("1.0", "1.1")]).toEqual([true, true, false]);
});
