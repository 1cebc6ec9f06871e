import { expect, test } from "vitest";
import { hang, wrap } from "./wrap.ts";

test("lines break between words, and long words are not broken", () => {
  expect(wrap("one two three-is-too-long four", 8)).toEqual(["one two", "three-is-too-long", "four"]);
});

test("all lines except the first are indented", () => {
  expect(hang("seen  ", "a ".repeat(20), 36)).toEqual([`seen  ${"a ".repeat(15).trim()}`, "      a a a a a"]);
});
