import { expect, test } from "vitest";
import { readEmail } from "./email.ts";

test.each([
  "you@example.com",
  "operator@localhost",
  "o'neil+a.b@xn--bcher-kva.example",
  "Ünal@bücher.example",
  `${"a".repeat(242)}@example.com`,
])("%s is valid", (text) => {
  expect(readEmail(text)).toBe(text);
});

test("an address is trimmed and otherwise unchanged", () => {
  expect(readEmail(" \tAnn@Example.com\r\n")).toBe("Ann@Example.com");
});

test.each([
  "",
  "ann",
  "@example.com",
  "ann@",
  "ann@b@example.com",
  "ann lee@example.com",
  "ann\n@example.com",
  "ann\u0000@example.com",
  "ann\u001b[31m@example.com",
  "ann@example.com\u007f",
  "ann\u202emoc.elpmaxe@x",
  "an\u200bn@example.com",
  "ann\ud800@example.com",
  "ann@ex\ud800ample.com",
  "ann@ex\u200bample.com",
  "\u3164@example.com",
  "\uffa0\u115f\u2800\ufe0f@example.com",
  "ann@\u3164",
  `${"a".repeat(243)}@example.com`,
])("%j is not valid", (text) => {
  expect(readEmail(text)).toBeUndefined();
});
