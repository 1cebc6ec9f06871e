import { expect, test } from "vitest";
import { toCount, toDayName, toMonthName } from "./amounts.ts";

test("one is one, and many are grouped", () => {
  expect([toCount(1, "unit"), toCount(0, "unit"), toCount(12_345, "unit")]).toEqual([
    "1 unit",
    "0 units",
    "12,345 units",
  ]);
});

test("months and days have their names in UTC, wherever the server stands", () => {
  expect([toMonthName("2026-01"), toDayName("2026-01-01")]).toEqual(["January 2026", "1 January"]);
});
