import { expect, test } from "vitest";
import { readOpenOptions, type WireOptions } from "./open-options.ts";
import { describeSet, toSetKey } from "./option-set.ts";

function keyOf(wire: WireOptions): string {
  return toSetKey(readOpenOptions(wire));
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

test("a log is told how many switches there are, not which", () => {
  const options = readOpenOptions({ Args: ["--lang=de"], IgnoredDefaultArgs: ["mute-audio", "no-pings"] });
  expect(describeSet(options)).toMatchObject({ kind: "chromium", switches: 1, ignoredSwitches: 2 });
});
