import { expect, test } from "vitest";
import { toCloseFrame } from "./close-frame.ts";

test("a close frame carries its code and reason, unmasked", () => {
  expect(toCloseFrame(1011, "gone")).toEqual(Buffer.from([0x88, 6, 0x03, 0xf3, ...Buffer.from("gone")]));
});

test("a reason that is too long is cut after a whole character", () => {
  const frame = toCloseFrame(1000, `x${"é".repeat(80)}`);
  expect(frame[1]).toBe(frame.length - 2);
  expect(frame.subarray(4).toString()).toBe(`x${"é".repeat(61)}`);
});
