import { expect, test } from "vitest";
import { minuteStart, toDays, toPeriod, usedMinutes } from "./units.ts";

const openedAt = new Date("2026-11-30T23:59:30.000Z");
const later = (ms: number): Date => new Date(openedAt.getTime() + ms);

test.each([
  [0, 1],
  [1, 1],
  [60_000, 1],
  [60_001, 2],
  [600_000, 10],
])("a browser that was open for %d ms has used %d minutes", (ms, minutes) => {
  expect(usedMinutes(openedAt, later(ms))).toBe(minutes);
});

test("the first minute is charged even if the clock is set back", () => {
  expect(usedMinutes(openedAt, later(-5000))).toBe(1);
});

test("a minute belongs to the UTC month in which it starts", () => {
  expect(toPeriod(minuteStart(openedAt, 0))).toBe("2026-11");
  expect(toPeriod(minuteStart(openedAt, 1))).toBe("2026-12");
});

test("minutes are grouped by the UTC day on which they start", () => {
  expect(toDays(openedAt, 1)).toEqual([{ day: "2026-11-30", from: 0, to: 1 }]);
  expect(toDays(openedAt, 1442)).toEqual([
    { day: "2026-11-30", from: 0, to: 1 },
    { day: "2026-12-01", from: 1, to: 1441 },
    { day: "2026-12-02", from: 1441, to: 1442 },
  ]);
  const midnight = new Date("2026-12-01T00:00:00.000Z");
  expect(toDays(midnight, 1441)).toEqual([
    { day: "2026-12-01", from: 0, to: 1440 },
    { day: "2026-12-02", from: 1440, to: 1441 },
  ]);
  expect(toDays(openedAt, 0)).toEqual([]);
});
