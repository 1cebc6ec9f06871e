import { expect, test } from "vitest";
import { differences, medianOf, quantileOf, ratios, spreadOf } from "./statistics.ts";

test("the median of an even number of values is the mean of the middle two", () => {
  expect(medianOf([9, 1, 2, 4])).toBe(3);
});

test("of 21 values, one is above the 95th percentile", () => {
  const values = Array.from({ length: 21 }, (_, index) => 21 - index);
  expect(quantileOf(values, 0.95)).toBe(20);
});

test("a single outlier changes neither the median nor the quartiles", () => {
  expect(spreadOf([10, 11, 12, 13, 1000])).toEqual({ median: 12, low: 11, high: 13 });
});

test("the two sides are compared within each round, so a slow round affects both", () => {
  const [ours, baseline] = [
    [12, 112, 13],
    [10, 110, 11],
  ];
  expect(differences(ours, baseline)).toEqual([2, 2, 2]);
  expect(ratios([2, 20], [1, 10])).toEqual([2, 2]);
});

test("sides with different numbers of rounds can't be compared", () => {
  expect(() => differences([1, 2], [1])).toThrow(RangeError);
});

test("a median requires at least one value", () => {
  expect(() => medianOf([])).toThrow(RangeError);
});
