import fc from "fast-check";
import { expect, test } from "vitest";
import { type OpenSpans, peaksOf, toEnd } from "./parallel.ts";

/** `to` is undefined while the browser is open. */
type Span = { readonly from: number; readonly to: number | undefined };

const at = (ms: number): Date => new Date(ms);
const span = (from: number, to?: number): Span => ({ from, to });

const anySpan = fc
  .tuple(fc.integer({ min: -20, max: 60 }), fc.option(fc.nat({ max: 40 }), { nil: undefined }))
  .map(([from, forMs]) => span(from, forMs === undefined ? undefined : from + forMs));

function toSpans(spans: readonly Span[]): OpenSpans {
  const ends = spans.flatMap(({ from, to }) => (to === undefined ? [] : [toEnd(from, to)]));
  return { opened: Float64Array.from(spans, ({ from }) => from), ended: Float64Array.from(ends) };
}

/** Computes the peaks by checking every millisecond. */
function peaksByMillisecond(spans: readonly Span[], from: number, past: number, stepMs: number): number[] {
  const peaks: number[] = [];
  for (let step = from; step < past; step += stepMs) {
    const moments = Array.from({ length: Math.min(stepMs, past - step) }, (_, index) => step + index);
    const isOpen = (one: Span, ms: number): boolean =>
      one.from <= ms && (one.to === undefined || ms < one.to || ms === one.from);
    peaks.push(Math.max(...moments.map((ms) => spans.filter((one) => isOpen(one, ms)).length)));
  }
  return peaks;
}

test("the peaks are the same as in a check of every millisecond", () => {
  fc.assert(
    fc.property(
      fc.array(anySpan, { maxLength: 25 }),
      fc.integer({ min: -10, max: 20 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 1, max: 12 }),
      (spans, from, length, stepMs) => {
        expect(peaksOf(toSpans(spans), at(from), at(from + length), stepMs)).toEqual(
          peaksByMillisecond(spans, from, from + length, stepMs),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test("a browser that replaces another doesn't overlap it", () => {
  expect(peaksOf(toSpans([span(0, 10), span(10, 20)]), at(0), at(20), 20)).toEqual([1]);
});

test("a permanently open browser counts in every step, and a browser outside the range counts in none", () => {
  expect(peaksOf(toSpans([span(-5)]), at(0), at(30), 10)).toEqual([1, 1, 1]);
  expect(peaksOf(toSpans([span(-5, 0), span(30, 40)]), at(0), at(30), 10)).toEqual([0, 0, 0]);
});
