import { expect, test } from "vitest";
import type { Installed } from "../browser/browser-kind.ts";
import { readOpenOptions, type WireOptions } from "../browser/open-options.ts";
import {
  findRepeated,
  findWarmMistakes,
  toSetsOfDefaults,
  toAutoPlan,
  toLogFacts,
  toWarmKey,
  type WarmSet,
} from "./warm-set.ts";

const INSTALLED: Installed = { kinds: new Set(["chromium"]) };
const HEADLESS_ONLY: Installed = { ...INSTALLED, isHeadlessOnly: true };

function toSet(wire: WireOptions, count = 1): WarmSet {
  return { options: readOpenOptions(wire), count };
}

test("auto uses up to half of the capacity, starting with Open's default options", () => {
  const machine = { capacity: 20, idle: 6, installed: INSTALLED, isSandboxed: true };
  expect(toAutoPlan(machine)).toMatchObject({ limit: 6, first: { kind: "chromium", isHeadless: false } });
  expect(toAutoPlan({ ...machine, idle: 16 })?.limit).toBe(10);
  expect(toAutoPlan({ ...machine, capacity: 4, idle: 0 })?.limit).toBe(1);
  const shell: Installed = { kinds: new Set(["chrome-headless-shell"]) };
  expect([shell, HEADLESS_ONLY].map((installed) => toAutoPlan({ ...machine, installed })?.first)).toEqual([
    undefined,
    undefined,
  ]);
});

test("auto keeps no warm browsers on small machines or without sandboxes", () => {
  const machine = { capacity: 20, idle: 6, installed: INSTALLED, isSandboxed: true };
  expect(toAutoPlan({ ...machine, capacity: 3 })).toBeUndefined();
  expect(toAutoPlan({ ...machine, isSandboxed: false })).toBeUndefined();
});

test("warm browsers that exceed the capacity or can't be opened on this machine are reported", () => {
  expect(findWarmMistakes(toSetsOfDefaults(4), 4, INSTALLED)).toEqual([]);
  const mistakes = findWarmMistakes(
    [toSet({}, 4), toSet({ Browser: 0 }), toSet({ Browser: 0, Headless: true })],
    5,
    INSTALLED,
  );
  expect(mistakes).toEqual([
    "RBS_WARM includes browsers of the kind chrome, which isn't installed on this machine.",
    "RBS_WARM includes 6 browsers, but the capacity of this machine is 5 (RBS_CAPACITY).",
  ]);
  expect(findWarmMistakes([toSet({ Headless: true })], 4, HEADLESS_ONLY)).toEqual([]);
  expect(findWarmMistakes([toSet({})], 4, HEADLESS_ONLY)).toEqual([
    "RBS_WARM includes graphical browsers, but Xvnc isn't installed. Set Headless to true in the RBS_WARM sets.",
  ]);
});

test("sets that start the same browser are reported by index", () => {
  expect(findRepeated([toSet({}), toSet({ Headless: true }), toSet({ Label: "x" }), toSet({ Stealth: true })])).toEqual(
    [2, 3],
  );
});

function keyOf(wire: WireOptions): string {
  return toWarmKey(readOpenOptions(wire));
}

test.each<[WireOptions, WireOptions]>([
  [{}, { Headless: false, Stealth: true, Browser: 2, Args: [], IgnoredDefaultArgs: null }],
  [{ Label: "a", KeepOpen: 5 }, { Proxy: { Host: "proxy.example", Port: "3128" } }],
  [{ Browser: 3 }, { Browser: 3, Headless: false }],
  [{ Args: ["--lang=de", "--mute-audio"] }, { Args: ["--mute-audio", "--lang=de"] }],
  [{ Args: ["--lang=fr", "--lang=de"] }, { Args: ["--lang=de"] }],
  [{ IgnoredDefaultArgs: ["mute-audio", "--no-pings"] }, { IgnoredDefaultArgs: ["--no-pings", "--mute-audio"] }],
])("%j starts the same browser as %j", (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other));
});

test.each<[WireOptions, WireOptions]>([
  [{}, { Headless: true }],
  [{}, { Stealth: false }],
  [{ Headless: true }, { Browser: 3 }],
  [{ Args: ["--mute-audio"] }, { IgnoredDefaultArgs: ["--mute-audio"] }],
  [{ Args: ["--lang=de"] }, { Args: ["--lang=fr"] }],
  [{ Args: ["--lang=de"] }, { Args: ["--lang=de", "--mute-audio"] }],
])("%j does not start the same browser as %j", (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test("log facts count the switches without quoting them", () => {
  const options = readOpenOptions({ Args: ["--lang=de"], IgnoredDefaultArgs: ["mute-audio", "no-pings"] });
  expect(toLogFacts(options)).toMatchObject({ kind: "chromium", switches: 1, ignoredSwitches: 2 });
});
