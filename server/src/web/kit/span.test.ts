import fc from "fast-check";
import { expect, test } from "vitest";
import { toAgo } from "./moment.ts";
import { toSpan } from "./span.ts";

/** What the page's script makes of the same times. */
const script = (await import(new URL("../dashboard/browsers/browsers-time.js", import.meta.url).href)) as {
  toSpan(ms: number): string;
  toAgo(ms: number): string;
};
const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [-1, "0 s"],
  [499, "0 s"],
  [59_499, "59 s"],
  [59_500, "1 min"],
  [MINUTE + 5000, "1 min 5 s"],
  [HOUR - 1, "1 h"],
  [HOUR + 59 * MINUTE + 59_000, "1 h 59 min"],
  [DAY + 59 * MINUTE, "1 d"],
  [400 * DAY + 2 * HOUR, "400 d 2 h"],
])("%i ms are %s", (ms, text) => {
  expect(toSpan(ms)).toBe(text);
});

/** Of all sizes, and at the edges where a unit ends. */
const TIMES = fc.oneof(
  fc.integer({ min: -DAY, max: 1000 * DAY }),
  fc.integer({ min: -MINUTE, max: 2 * HOUR }),
  fc
    .tuple(fc.constantFrom(0, 1000, MINUTE, HOUR, DAY), fc.integer({ min: -1000, max: 1000 }))
    .map(([edge, offset]) => edge + offset),
);

test("a page says the same of a time as its script, which goes on with it", () => {
  fc.assert(
    fc.property(TIMES, (ms) => {
      expect([script.toSpan(ms), script.toAgo(ms)]).toEqual([toSpan(ms), toAgo(new Date(NOW - ms), new Date(NOW))]);
    }),
    { numRuns: 1000 },
  );
});
