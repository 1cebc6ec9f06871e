import fc from "fast-check";
import { expect, test } from "vitest";
import { type Life, peaksOf } from "./parallel.ts";

const at = (ms: number): Date => new Date(ms);
const life = (from: number, to?: number): Life => ({ from: at(from), to: to === undefined ? undefined : at(to) });

const anyLife = fc
  .tuple(fc.integer({ min: -20, max: 60 }), fc.option(fc.nat({ max: 40 }), { nil: undefined }))
  .map(([from, forMs]) => life(from, forMs === undefined ? undefined : from + forMs));

/** The same by looking at every single millisecond. */
function peaksByLooking(lives: readonly Life[], from: number, past: number, stepMs: number): number[] {
  const peaks: number[] = [];
  for (let step = from; step < past; step += stepMs) {
    const moments = Array.from({ length: Math.min(stepMs, past - step) }, (_, index) => step + index);
    const isOpen = (one: Life, ms: number): boolean =>
      +one.from <= ms && (one.to === undefined || ms < +one.to || ms === +one.from);
    peaks.push(Math.max(...moments.map((ms) => lives.filter((one) => isOpen(one, ms)).length)));
  }
  return peaks;
}

test("peaks are those that a look at every moment finds", () => {
  fc.assert(
    fc.property(
      fc.array(anyLife, { maxLength: 25 }),
      fc.integer({ min: -10, max: 20 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 12 }),
      (lives, from, length, stepMs) => {
        expect(peaksOf(lives, at(from), at(from + length), stepMs)).toEqual(
          peaksByLooking(lives, from, from + length, stepMs),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test("a browser that takes another's place does not stand beside it", () => {
  expect(peaksOf([life(0, 10), life(10, 20)], at(0), at(20), 20)).toEqual([1]);
});

test("one that is open all the time is there in every step, and nobody is there where nobody was", () => {
  expect(peaksOf([life(-5)], at(0), at(30), 10)).toEqual([1, 1, 1]);
  expect(peaksOf([life(-5, 0), life(30, 40)], at(0), at(30), 10)).toEqual([0, 0, 0]);
});
