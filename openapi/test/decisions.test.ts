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

test("the table of decisions has rows", () => {
  expect(rows.length).toBeGreaterThan(60);
});

test.each(rows)("%s", (...cells) => {
  expect(cells).toHaveLength(5);
  expect(cells.filter((cell) => cell === "")).toEqual([]);
  const places = [...(cells[3] ?? "").matchAll(/`([^`]+)`/g)].map(([, place = ""]) => place);
  expect(places).not.toEqual([]);
  for (const place of places) expect(() => at(contract, place)).not.toThrow();
});

test("a pointer to a missing node throws an error", () => {
  expect(() => at(contract, "#/components/schemas/OpenOptions/properties/Keepopen")).toThrow("Keepopen");
});
