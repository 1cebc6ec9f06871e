import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { varyingBits } from "./varying-bits.ts";

const four = (make: (index: number) => string): string[] => [0, 1, 2, 3].map(make);

test.each([
  ["base64url", () => randomBytes(24).toString("base64url")],
  ["minimum-length base64url", () => randomBytes(16).toString("base64url")],
  ["hex", () => randomBytes(16).toString("hex")],
  ["digits", () => Array.from(randomBytes(39), (byte) => byte % 10).join("")],
  ["random with a fixed prefix", () => `worker-7_${randomBytes(16).toString("base64url")}`],
])("all bits of random ids vary: %s", (_, make) => {
  for (let run = 0; run < 200; run += 1) expect(varyingBits(four(make))).toBeGreaterThan(118);
});

test.each([
  ["a counter", (index: number) => String(1000 + index).padStart(32, "0")],
  ["a counter with a random prefix", (index: number) => `Zt5nB0xWq8_LkP2rVy-HcJ7mSd4f${index}`],
  [
    "a timestamp with some random bits",
    (index: number) => `${(1_757_000_000_000 + index * 300).toString(16)}${randomUUID().slice(0, 18)}`,
  ],
  ["64 random bits with padding", () => randomBytes(8).toString("hex").padEnd(32, "0")],
  ["repeated groups of 32 random bits", () => randomBytes(4).toString("hex").repeat(4)],
  ["one letter", (index: number) => "abcdefghijklmnopqrstuvwxyz"[index] ?? ""],
])("some bits of patterned ids do not vary: %s", (_, make) => {
  for (let run = 0; run < 50; run += 1) expect(varyingBits(four(make))).toBeLessThan(100);
});

test("UUIDs are recognized by their format and have 122 random bits", () => {
  expect(varyingBits(four(() => randomUUID()))).toBe(122);
});
