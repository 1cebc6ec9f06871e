import { expect, test } from "vitest";
import type { Figure } from "./figure.ts";
import { renderHead, renderLine, renderMarkdown } from "./table.ts";
import { mb, ms, perSecond, signed, times, toText } from "./units.ts";

const FIGURE: Figure = {
  name: "one call",
  ours: "140 µs",
  baseline: "direct 70 µs",
  compared: "+70 µs (+68 … +76)",
  target: "≤ direct + 160 µs",
  isMet: true,
};

test("a value is shown with its unit, and a small value with an additional digit", () => {
  expect([ms(262.4), ms(7.86), mb(139_400_000), mb(2_940_000), perSecond(25_355.4)]).toEqual([
    "262 ms",
    "7.9 ms",
    "139 MB",
    "2.9 MB",
    "25,355/s",
  ]);
});

test("a difference always has a sign", () => {
  expect([signed(ms)(28), signed(ms)(-1.4), signed(ms)(0)]).toEqual(["+28 ms", "−1.4 ms", "+0.0 ms"]);
});

test("a spread shows the unit only once", () => {
  expect(toText({ median: 28, low: 24, high: 33 }, signed(ms))).toBe("+28 ms (+24 … +33)");
  expect(toText({ median: 0.95, low: 0.79, high: 1.02 }, times)).toBe("× 0.95 (0.79 … 1.02)");
});

test("the table shows whether each target is met or missed", () => {
  expect(
    renderMarkdown([FIGURE, { ...FIGURE, isMet: false }])
      .split("\n")
      .slice(2, 4),
  ).toEqual([
    "| one call | 140 µs | direct 70 µs | +70 µs (+68 … +76) | ≤ direct + 160 µs | met |",
    "| one call | 140 µs | direct 70 µs | +70 µs (+68 … +76) | ≤ direct + 160 µs | missed |",
  ]);
});

test("on a terminal, cells line up with their column titles", () => {
  const columns = ["Here", "Baseline", "Compared", "Target"].map((title) => renderHead().indexOf(title));
  const cells = [FIGURE.ours, FIGURE.baseline, FIGURE.compared, FIGURE.target];
  expect(cells.map((cell) => renderLine(FIGURE).indexOf(cell))).toEqual(columns);
});
