import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LANGUAGES, pickLanguages, whySkipped } from "./languages.ts";

let empty: string;

beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), "rbs-empty-"));
  vi.stubEnv("PATH", empty);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(empty, { recursive: true });
});

test("skipped languages are listed with their missing requirements", () => {
  expect(LANGUAGES.map((language) => whySkipped(language, empty))).toStrictEqual([
    undefined,
    "Skipped: the clients in Python (no .venv/bin/python, which npm run setup creates)",
    "Skipped: the clients in Go (no go on the PATH)",
    "Skipped: the clients in Java (no javac and no mvn on the PATH)",
  ]);
});

test("languages are selected by id and keep their order, and unknown ids are reported", () => {
  expect(pickLanguages(["java", "python"]).map(({ id }) => id)).toStrictEqual(["python", "java"]);
  expect(pickLanguages([])).toBe(LANGUAGES);
  expect(() => pickLanguages(["go", "rust"])).toThrow(
    "Unknown clients: rust. Choose from typescript, python, go, java",
  );
});
