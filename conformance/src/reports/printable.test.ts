import { expect, test } from "vitest";
import { toPrintable, toPrintableLine } from "./printable.ts";

test("terminal control sequences become visible", () => {
  expect(toPrintable("\u001B[2Jgone\r\u0000\u009B")).toBe("\\u{1b}[2Jgone\\u{d}\\u{0}\\u{9b}");
});

test("bidirectional controls become visible", () => {
  expect(toPrintable("\u202Egnirts")).toBe("\\u{202e}gnirts");
});

test("lone surrogates become visible, and surrogate pairs are not changed", () => {
  expect(toPrintable("\uD83D 😀")).toBe("\\u{d83d} 😀");
});

test("line breaks and tabs become spaces", () => {
  expect(toPrintableLine("  one\n\ttwo  ")).toBe("one two");
});
