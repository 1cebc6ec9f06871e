import { expect, test } from "vitest";
import { toPrintable, toPrintableLine } from "./printable.ts";

test("what a terminal would obey is shown instead", () => {
  expect(toPrintable("\u001B[2Jgone\r\u0000\u009B")).toBe("\\u{1b}[2Jgone\\u{d}\\u{0}\\u{9b}");
});

test("text that turns its own direction around is shown as it is written", () => {
  expect(toPrintable("\u202Egnirts")).toBe("\\u{202e}gnirts");
});

test("half a character is shown by its number, and a whole one as it is", () => {
  expect(toPrintable("\uD83D 😀")).toBe("\\u{d83d} 😀");
});

test("a line stays one", () => {
  expect(toPrintableLine("  one\n\ttwo  ")).toBe("one two");
});
