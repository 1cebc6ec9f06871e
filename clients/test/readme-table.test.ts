import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Cell, withTable } from "./readme-table.ts";
import { type Scenario, readScenarios } from "./scenario-table.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const ONE: Scenario = { id: "one", title: "The first, of many", on: ["fake"] };
const TWO: Scenario = { id: "two", title: "The second", on: ["fake"] };

const rowOf = (readme: string, { title }: Scenario): string | undefined =>
  readme.split("\n").find((line) => line.startsWith(`| ${title} |`));

test("the README has a row for each scenario, in the scenarios' order", () => {
  const [, table = ""] = README.split("| Scenario |");
  const titles = table.split("\n").flatMap((line) => /^\| (?!---)(.+?) \|/.exec(line)?.[1] ?? []);
  expect(titles).toStrictEqual(readScenarios().map(({ title }) => title));
});

test("new results replace cells, and the text around the table is unchanged", () => {
  const cell: Cell = (scenario, language) => (scenario === ONE && language === "go" ? "fake" : "–");
  const once = withTable(README, [ONE, TWO], cell);
  expect(rowOf(once, ONE)).toBe("| The first, of many | – | – | fake | – |");
  expect(rowOf(once, TWO)).toBe("| The second | – | – | – | – |");
  expect(withTable(once, [ONE, TWO], cell)).toBe(once);
  const before = README.split("<!--")[0];
  expect(once.split("<!--")[0]).toBe(before);
});

test("the column of a language that wasn't tested is kept, even if rows are moved or added", () => {
  const first = withTable(README, [ONE], () => "real");
  const second = withTable(first, [TWO, ONE], (_, language) => (language === "java" ? "fake" : undefined));
  expect(rowOf(second, ONE)).toBe("| The first, of many | real | real | real | fake |");
  expect(rowOf(second, TWO)).toBe("| The second | – | – | – | fake |");
});

test("a README without table markers is rejected", () => {
  expect(() => withTable("# Clients\n", [ONE], () => "fake")).toThrow(/must have the lines/);
});
