import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findDifferences, readSection, writeVersion } from "./versions.ts";

const ROOT = join(import.meta.dirname, "../..");
const TWO = [
  { file: "package.json", pattern: /"version": "([^"]+)"/ },
  { file: "README.md", pattern: /client-([\d.]+)\.tgz/ },
];

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "stamp-"));
  writeFileSync(join(root, "package.json"), '{ "version": "0.1.0", "engines": "0.1.0" }');
  writeFileSync(join(root, "README.md"), "npm install client-0.1.0.tgz # needs 0.1.0\n");
});

afterEach(() => rmSync(root, { recursive: true }));

test("a version is written everywhere it belongs and nowhere else", () => {
  writeVersion(root, "0.2.0", TWO);
  expect(readFileSync(join(root, "package.json"), "utf8")).toBe('{ "version": "0.2.0", "engines": "0.1.0" }');
  expect(readFileSync(join(root, "README.md"), "utf8")).toBe("npm install client-0.2.0.tgz # needs 0.1.0\n");
  expect(findDifferences(root, TWO)).toEqual([]);
});

test("a version mismatch is reported with a remedy", () => {
  writeFileSync(join(root, "README.md"), "npm install client-0.0.9.tgz\n");
  expect(findDifferences(root, TWO)).toEqual(["README.md has version 0.0.9, not 0.1.0: run npm run stamp -- 0.1.0."]);
});

test("a file without a version causes an error", () => {
  writeFileSync(join(root, "README.md"), "npm install client\n");
  expect(() => findDifferences(root, TWO)).toThrow("README.md has no version");
});

test("this project has the same version everywhere", () => {
  expect(findDifferences(ROOT)).toEqual([]);
});

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n- New\n\n## 0.2.0 (2027-01-02)\n\n### Added\n\n- More\n\n## 0.1.0\n\n- First\n";

test.each([
  ["Unreleased", "- New"],
  ["0.2.0", "### Added\n\n- More"],
  ["0.1.0", "- First"],
  ["0.2", undefined],
])("the changelog section for %s is %j", (version, section) => {
  expect(readSection(CHANGELOG, version)).toBe(section);
});
