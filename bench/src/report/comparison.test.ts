import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { toFigure } from "./comparison.ts";
import { withFigures } from "./document.ts";
import { ms } from "./units.ts";

const COMPARISON = { name: "a call", unit: ms, baseline: "direct", of: "direct" };
const SIDES = { ours: [10, 20, 30], base: [20, 20, 20] };

test("a figure compares the sides in each round, and meets a target equal to its ratio", () => {
  expect(toFigure({ ...COMPARISON, atMost: 1, note: " (idle)" }, SIDES)).toEqual({
    ...{ name: "a call", ours: "20 ms", baseline: "direct 20 ms (idle)", compared: "× 1.00 (0.75 … 1.25)" },
    ...{ target: "≤ 1 × direct", isMet: true },
  });
  expect(toFigure({ ...COMPARISON, atMost: 0.9 }, SIDES).isMet).toBe(false);
});

test("a speed ratio is the baseline's time divided by the service's time", () => {
  const figure = toFigure({ ...COMPARISON, atLeast: 2, speed: "faster" }, { ours: [10], base: [20] });
  expect(figure).toMatchObject({ compared: "× 2.00 (2.00 … 2.00) faster", target: "≥ 2 × direct", isMet: true });
});

test("new figures replace the page's figures and leave the prose unchanged", async () => {
  const page = await readFile(new URL("../../../docs/benchmarks.md", import.meta.url), "utf8");
  const written = withFigures(page, "a machine", [toFigure({ ...COMPARISON, atMost: 1 }, SIDES)]);
  expect(written).toContain("measured these figures on a machine.\n\n| Figure |");
  expect(written.slice(written.indexOf("<!-- End"))).toBe(page.slice(page.indexOf("<!-- End")));
});
