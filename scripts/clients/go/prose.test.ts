import { expect, test } from "vitest";
import { toGoComment } from "./prose.ts";
import { contractWith } from "./contract.fixtures.ts";

test("Markdown is removed, null becomes nil, and an error's name becomes a link to its type", () => {
  const prose = "Counts **seconds**; `null` for none.\nFull: 503 `Busy`.";
  expect(toGoComment(contractWith(), prose)).toBe("// Counts seconds; nil for none. Full: 503 [BusyError].");
});

test("a sentence about the second spelling, which Go doesn't have, is removed", () => {
  const prose = "It is one. Each member has a second spelling, named by `x-alias`.\n";
  expect(toGoComment(contractWith(), prose)).toBe("// It is one.");
});

test("paragraphs stay separate, and lines end before column 100", () => {
  const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const lines = toGoComment(contractWith(), `${long}\n\nShort.`, "\t").split("\n");
  expect(lines.slice(-2)).toEqual(["\t//", "\t// Short."]);
  expect(lines.length).toBeGreaterThan(4);
  expect(Math.max(...lines.map((line) => line.length + 3))).toBeLessThanOrEqual(100);
});
