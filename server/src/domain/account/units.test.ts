import { expect, test } from "vitest";
import { minuteStart, startedMinutes, toPeriod, usedMinutes } from "./units.ts";

const openedAt = new Date("2026-11-30T23:59:30.000Z");
const later = (ms: number): Date => new Date(openedAt.getTime() + ms);

test.each([
  [0, 1],
  [59_999, 1],
  [60_000, 2],
  [60_001, 2],
  [600_000, 11],
])("after %d ms, %d minutes have started", (ms, minutes) => {
  expect(startedMinutes(openedAt, later(ms))).toBe(minutes);
});

test.each([
  [0, 1],
  [1, 1],
  [60_000, 1],
  [60_001, 2],
  [600_000, 10],
])("a browser that was open for %d ms has used %d minutes", (ms, minutes) => {
  expect(usedMinutes(openedAt, later(ms))).toBe(minutes);
});

test("the first minute is charged even if the clock was set back", () => {
  expect(startedMinutes(openedAt, later(-5000))).toBe(1);
  expect(usedMinutes(openedAt, later(-5000))).toBe(1);
});

test("a minute belongs to the month in UTC in which it starts", () => {
  expect(toPeriod(minuteStart(openedAt, 0))).toBe("2026-11");
  expect(toPeriod(minuteStart(openedAt, 1))).toBe("2026-12");
});
