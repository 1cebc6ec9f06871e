import { expect, test } from "vitest";
import { isVisible } from "./visible-text.ts";

test.each(["a", " a ", "\u200bx", "é", "漢", "👩\u200d🚀", "-"])("%j has a visible character", (text) => {
  expect(isVisible(text)).toBe(true);
});

test.each([
  "",
  " ",
  "\n\t",
  "\u200b\u200d",
  "\u3164",
  "\uffa0\u115f\u1160",
  "\u2800",
  "\ufe0f",
  "\u00ad",
  "\u{e0020}",
  "\ud800",
])("%j has no visible character", (text) => {
  expect(isVisible(text)).toBe(false);
});
