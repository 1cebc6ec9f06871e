import { expect, test } from "vitest";
import { at } from "../scripts/contract.ts";
import { readContract, readText } from "./read-contract.ts";

const contract = readContract();
const rows = readText("DECISIONS.md")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|(-+\|)+$/.test(line) && !line.startsWith("| Open point"))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

test("the test reads the decisions", () => {
  expect(rows.length).toBeGreaterThan(60);
});

test.each(rows)("%s", (...cells) => {
  expect(cells).toHaveLength(5);
  expect(cells.filter((cell) => cell === "")).toEqual([]);
  const places = [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place);
  expect(places).not.toEqual([]);
  for (const place of places) expect(() => at(contract, place)).not.toThrow();
});

test("a place that does not exist is noticed", () => {
  expect(() => at(contract, "#/components/schemas/OpenOptions/properties/Keepopen")).toThrow("Keepopen");
});
