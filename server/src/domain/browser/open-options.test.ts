import { expect, test } from "vitest";
import { readOpenOptions } from "./open-options.ts";

test.each([
  [30, 30_000],
  // Longer than any browser stays open, but shown in lists as is.
  [1e15, 1e18],
  [Number.MAX_VALUE, Number.MAX_VALUE],
])("KeepOpen and Lifetime of %d s are converted to %d ms", (seconds, ms) => {
  expect(readOpenOptions({ KeepOpen: seconds, Lifetime: seconds })).toMatchObject({ keepOpenMs: ms, lifetimeMs: ms });
});
