import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "../config-error.ts";
import { aReport, aRule } from "./test/a-report.ts";
import { prepareReports, writeReports } from "./write-reports.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "conformance-"));
});

afterAll(() => rm(folder, { recursive: true }));

test("only reports with a path are written, and their directories are created", async () => {
  const deep = join(folder, "deep", "down");
  const paths = { html: join(deep, "a.html"), badge: join(deep, "a.svg") };
  await prepareReports(paths);
  expect(await writeReports(aReport([aRule()]), paths)).toEqual({ paths: Object.values(paths), problems: [] });
  expect(await readdir(deep)).toEqual(["a.html", "a.svg"]);
});

test("a report that can't be written does not affect other reports", async () => {
  const taken = join(folder, "taken.html");
  await mkdir(taken);
  const { paths, problems } = await writeReports(aReport([]), { html: taken, json: join(folder, "a.json") });
  expect(paths).toEqual([join(folder, "a.json")]);
  expect(problems.join()).toContain(`The html report could not be written to ${taken}`);
});

test.each([
  ["a directory", "is a directory", () => ({ html: folder })],
  ["inside a file", "can't be written to", () => ({ html: join(folder, "file", "a.html") })],
  ["the same as another path", "another report", () => ({ html: join(folder, "same"), json: join(folder, "same") })],
])("a path that is %s is rejected before the run", async (_, expected, paths) => {
  await writeFile(join(folder, "file"), "");
  const preparing = prepareReports(paths());
  await expect(preparing).rejects.toThrow(ConfigError);
  await expect(preparing).rejects.toThrow(expected);
});
