import { expect, test } from "vitest";
import { indentJson } from "./indent-json.ts";

test("every member is on its own line", () => {
  expect(indentJson('{"a":[1,{"b":"x, {y}: \\"z\\""}],"c":{},"d":[ ]}')).toBe(
    '{\n  "a": [\n    1,\n    {\n      "b": "x, {y}: \\"z\\""\n    }\n  ],\n  "c": {},\n  "d": []\n}',
  );
});

test("numbers and duplicate members are preserved", () => {
  expect(indentJson('{"n":12345678901234567890,"n":1.0}')).toBe('{\n  "n": 12345678901234567890,\n  "n": 1.0\n}');
});

test.each(["", "<html>", '{"cut": "of', "12", '"{}"'])("%s is not changed", (text) => {
  expect(indentJson(text)).toBe(text);
});
