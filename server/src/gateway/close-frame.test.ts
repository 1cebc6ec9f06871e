import { expect, test } from "vitest";
import { toCloseFrame } from "./close-frame.ts";

test("a close frame carries its code and reason, unmasked", () => {
  expect(toCloseFrame(1011, "gone")).toEqual(Buffer.from([0x88, 6, 0x03, 0xf3, ...Buffer.from("gone")]));
});

test.each([
  ["x".repeat(200), "x".repeat(123)],
  ["é".repeat(80), "é".repeat(61)],
])("a reason that is too long is cut after a whole character", (reason, kept) => {
  const frame = toCloseFrame(1000, reason);
  expect([frame[1], frame.subarray(4).toString()]).toEqual([frame.length - 2, kept]);
});
