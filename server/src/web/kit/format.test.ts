import { expect, test } from "vitest";
import { renderMoment, toAgo, toCount, toDayName, toMonthName, toSpan } from "./format.ts";

const script = (await import(new URL("../dashboard/browsers/browsers-time.js", import.meta.url).href)) as {
  toAge(ms: number): string;
};
const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test("counts use the singular for 1 and separate thousands with commas", () => {
  expect([toCount(1, "unit"), toCount(0, "unit"), toCount(12_345, "unit")]).toEqual([
    "1 unit",
    "0 units",
    "12,345 units",
  ]);
});

test("month and day names are based on UTC, regardless of the server's time zone", () => {
  expect([toMonthName("2026-01"), toDayName("2026-01-01")]).toEqual(["January 2026", "1 January"]);
});

test("a timestamp is exact in the markup and displayed in UTC, to the minute", async () => {
  const text = String(await renderMoment(new Date("2026-11-21T09:59:59.999Z")));
  expect(text).toBe(`<time datetime="2026-11-21T09:59:59.999Z" data-local>2026-11-21 09:59 UTC</time>`);
});

test.each([
  ["2026-11-21T10:00:05.000Z", "just now"],
  ["2026-11-21T09:59:00.001Z", "just now"],
  ["2026-11-21T09:59:00.000Z", "1 minute ago"],
  ["2026-11-21T09:00:00.001Z", "59 minutes ago"],
  ["2026-11-20T10:00:00.001Z", "23 hours ago"],
  ["2026-11-20T10:00:00.000Z", "1 day ago"],
  ["2025-11-21T10:00:00.000Z", "365 days ago"],
])("the age of %s is displayed as: %s", (at, ago) => {
  expect(toAgo(NOW - Date.parse(at))).toBe(ago);
});

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
])("%i ms are shown as %s", (ms, text) => {
  expect(toSpan(ms)).toBe(text);
});

test.each([
  [-500, "1 s ago"],
  [2400, "2 s ago"],
  [59_999, "59 s ago"],
  [MINUTE, "1 minute ago"],
])("a picture that is %i ms old was taken %s", (ms, text) => {
  expect(script.toAge(ms)).toBe(text);
});
