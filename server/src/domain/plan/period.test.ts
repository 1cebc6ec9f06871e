import fc from "fast-check";
import { expect, test } from "vitest";
import { daysOfPeriod, laterPeriod, periodStart, readPeriod } from "./period.ts";
import { toPeriod } from "./units.ts";

const anyPeriod = fc
  .tuple(fc.integer({ min: 1970, max: 9990 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, "0")}`);

test.each(["2026-11", "1999-01", "2026-12"])("%s is a month", (text) => {
  expect(readPeriod(text)).toBe(text);
});

test.each(["", "2026", "2026-1", "2026-00", "2026-13", "2026-11-01", " 2026-11", "2026-11\n", "99999-01", "-026-01"])(
  "%j is not a month",
  (text) => {
    expect(readPeriod(text)).toBeUndefined();
  },
);

test.each([
  ["2026-11", 1, "2026-12"],
  ["2026-12", 1, "2027-01"],
  ["2026-01", -1, "2025-12"],
  ["2024-03", -1, "2024-02"],
])("%s plus %d months is %s", (period, months, other) => {
  expect(laterPeriod(period, months)).toBe(other);
});

test.each([
  ["2024-02", 29],
  ["2026-02", 28],
  ["2026-11", 30],
  ["2026-12", 31],
])("%s has %d days", (period, days) => {
  expect(daysOfPeriod(period)).toHaveLength(days);
});

test("every day of a month belongs to the month, and the times just before and after it don't", () => {
  fc.assert(
    fc.property(anyPeriod, (period) => {
      const next = periodStart(laterPeriod(period, 1));
      expect(daysOfPeriod(period).map((day) => toPeriod(new Date(day)))).toEqual(
        daysOfPeriod(period).map(() => period),
      );
      expect(toPeriod(new Date(next.getTime() - 1))).toBe(period);
      expect(toPeriod(next)).toBe(laterPeriod(period, 1));
      expect(laterPeriod(laterPeriod(period, 1), -1)).toBe(period);
    }),
  );
});
