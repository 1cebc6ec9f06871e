import { expect, test } from "vitest";
import { readEmail, toEmailKey } from "./email.ts";

test.each([
  "you@example.com",
  "operator@localhost",
  "o'neil+a.b@xn--bcher-kva.example",
  "ünal@bücher.example",
  `${"a".repeat(242)}@example.com`,
])("%s is valid", (text) => {
  expect(readEmail(text)).toBe(text);
});

test.each([
  ["\tAnn@Example.com\r\n", "ann@example.com"],
  ["ⓑob＠ｅxample.com", "bob@example.com"],
  ["Jose\u0301@example.com", "jos\u00e9@example.com"],
  // In upper case, these addresses look like BOB@example.com and Bob@example.com.
  ["\u0412\u041e\u0412@example.com", "\u0432\u043e\u0432@example.com"],
  ["\u0392ob@example.com", "\u03b2ob@example.com"],
])("%j is read as %s", (text, email) => {
  expect(readEmail(text)).toBe(email);
});

test.each([
  ["case", "Bob@Example.COM"],
  ["letters in circles", "ⓑob@example.com"],
  ["wide letters", "ｂob@ｅxample.com"],
  ["Cyrillic letters", "b\u043eb@ex\u0430mple.c\u043em"],
  ["Greek letters", "b\u03bfb@example.com"],
  ["Armenian letters", "b\u0585b@example.com"],
])("an address that differs from bob@example.com only by %s counts as the same address", (_, email) => {
  expect(toEmailKey(email)).toBe("bob@example.com");
});

test.each([
  ["иван@example.com", "\u0456\u0432\u0430\u043d@example.com"],
  ["bob@bücher.example", "bob@bucher.example"],
  ["josé@example.com", "jose@example.com"],
])("%s and %s are different addresses", (one, other) => {
  expect(toEmailKey(one)).not.toBe(toEmailKey(other));
});

test("an ASCII address has the same key as in earlier versions: the address in lower case", () => {
  const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, n) => 0x21 + n));
  expect(toEmailKey(`${printable}@127.1`)).toBe(`${printable}@127.1`.toLowerCase());
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
