import { expect, test } from "vitest";
import { renderMoment, toAgo } from "./moment.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");

test("a moment is exact in the markup, and to the minute and in UTC for who reads it", async () => {
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
])("%s was %s", (at, ago) => {
  expect(toAgo(new Date(at), NOW)).toBe(ago);
});
