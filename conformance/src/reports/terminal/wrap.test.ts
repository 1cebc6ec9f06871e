import { expect, test } from "vitest";
import { hang, wrap } from "./wrap.ts";

test("lines end between words, and a long word stays in one piece", () => {
  expect(wrap("one two three-is-too-long four", 8)).toEqual(["one two", "three-is-too-long", "four"]);
});

test("what hangs is lined up", () => {
  expect(hang("seen  ", "a ".repeat(20), 36)).toEqual([`seen  ${"a ".repeat(15).trim()}`, "      a a a a a"]);
});
