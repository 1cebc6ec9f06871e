import { expect, test } from "vitest";
import type { BrowserKind } from "./browser-kind.ts";
import { readOpenOptions, type WireOptions } from "./open-options.ts";
import { findRepeated, findWarmMistakes, toDefaultOptions, toDefaultWarmSets, type WarmSet } from "./warm-set.ts";

const KINDS: ReadonlySet<BrowserKind> = new Set(["chromium"]);

function toSet(wire: WireOptions, count = 1): WarmSet {
  return { options: readOpenOptions(wire), count };
}

test("without the operator's word one browser with Open's defaults stands ready, if there is room for it", () => {
  const machine = { capacity: 4, kinds: KINDS, isJailed: true };
  expect(toDefaultWarmSets(machine)).toMatchObject([{ count: 1, options: { kind: "chromium", isHeadless: false } }]);
  expect(toDefaultWarmSets({ ...machine, capacity: 3 })).toEqual([]);
  expect(toDefaultWarmSets({ ...machine, isJailed: false })).toEqual([]);
  expect(toDefaultWarmSets({ ...machine, kinds: new Set(["chrome-headless-shell"]) })).toEqual([]);
});

test("more warm browsers than the machine carries, and kinds that it has not, are mistakes", () => {
  expect(findWarmMistakes(toDefaultOptions(4), 4, KINDS)).toEqual([]);
  const mistakes = findWarmMistakes(
    [toSet({}, 4), toSet({ Browser: 0 }), toSet({ Browser: 0, Headless: true })],
    5,
    KINDS,
  );
  expect(mistakes).toEqual([
    "RBS_WARM wants browsers of the kind chrome, which is not installed here.",
    "RBS_WARM wants 6 browsers ready, and this machine carries 5 (RBS_CAPACITY).",
  ]);
});

test("sets that start the same browser are told by their positions", () => {
  expect(findRepeated([toSet({}), toSet({ Headless: true }), toSet({ Label: "x" }), toSet({ Stealth: true })])).toEqual(
    [2, 3],
  );
});
