import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "rbs-warm-"));
afterAll(() => rmSync(folder, { recursive: true }));

const DEFAULTS = { kind: "chromium", isHeadless: false, isStealthy: true, switches: [], ignoredSwitches: [] };

test("a number sets how many browsers with Open's default options to keep ready", () => {
  expect(readConfig({ RBS_WARM: "3" }).warm).toEqual({ sets: [{ options: DEFAULTS, count: 3 }], isAuto: false });
  expect(readConfig({ RBS_WARM: "0" }).warm).toEqual({ sets: [], isAuto: false });
});

test("auto is the default, and can be combined with fixed sets", () => {
  expect(readConfig({}).warm).toEqual({ sets: [], isAuto: true });
  expect(readConfig({ RBS_WARM: "auto" }).warm).toEqual({ sets: [], isAuto: true });
  const sets = [{ options: DEFAULTS, count: 2 }];
  expect(readConfig({ RBS_WARM: '["auto", {"Count": 2}]' }).warm).toEqual({ sets, isAuto: true });
});

test("Open's options, in either spelling, can be listed in the setting or in a file", () => {
  const list = '[{"Count": 1}, {"browser": 3, "Args": ["--lang=de"], "Proxy": null, "Count": 2}]';
  const file = join(folder, "warm.json");
  writeFileSync(file, list);
  const shell = { ...DEFAULTS, kind: "chrome-headless-shell", isHeadless: true, switches: ["--lang=de"] };
  const sets = [
    { options: DEFAULTS, count: 1 },
    { options: shell, count: 2 },
  ];
  expect(readConfig({ RBS_WARM: list }).warm).toEqual({ sets, isAuto: false });
  expect(readConfig({ RBS_WARM: file }).warm).toEqual({ sets, isAuto: false });
});

test.each([
  ["[", /must be auto, a whole number from 0 to 10000, a JSON array/],
  ["-1", /must be auto, a whole number/],
  ["10001", /must be auto, a whole number/],
  ["/nowhere/warm.json", /must be auto, a whole number/],
  ["[3]", /set 1 must be an object of .*, or "auto"$/],
  ['["auto", "Auto"]', /set 2 must be an object/],
  ['["auto", {"Count": 1}, "auto"]', /set 3 is the same as an earlier set/],
  ["[{}]", /set 1: Count must be a whole number from 1/],
  ['[{"Count": 0}]', /set 1: Count/],
  ['[{"Count": "1"}]', /set 1: Count/],
  ['[{"Count": 1, "Headles": true}]', /set 1: Headles is not an option of Open/],
  ['[{"Count": 1, "Headless": "yes"}]', /set 1: Headless must be a boolean/],
  ['[{"Count": 1, "Browser": 1}]', /set 1: Browser must be one of/],
  ['[{"Count": 1}, {"Count": 1, "Args": ["--no-such"]}]', /set 2: Args\.0 --no-such is not allowed/],
  ['[{"Count": 1, "KeepOpen": 5}]', /set 1: KeepOpen has no effect here: each Open request sets its own/],
  ['[{"Count": 1, "label": "x"}]', /set 1: label has no effect here/],
  ['[{"Count": 1}, {"Headless": false, "Count": 2}]', /set 2 is the same as an earlier set/],
])("%s is refused with a reason", (text, message) => {
  expect(() => readConfig({ RBS_WARM: text })).toThrow(message);
});

test("every mistake is reported without secrets, together with the mistakes in other settings", () => {
  const proxy = { Host: "proxy.example", Port: 1, Username: "ann", Password: "s3cret" };
  const RBS_WARM = JSON.stringify([{ Headless: 1, Proxy: proxy }, { Count: 1, Args: ["--a", "--b"] }, "x"]);
  const message = readMistakes({ RBS_WARM, RBS_PORT: "eighty" });
  expect(message.split("\n").map((line) => line.slice(0, 26))).toEqual([
    "RBS_PORT must be a whole n",
    "RBS_WARM: set 1: Proxy has",
    "RBS_WARM: set 1: Count mus",
    "RBS_WARM: set 1: Headless ",
    "RBS_WARM: set 1: Proxy.Por",
    "RBS_WARM: set 2: Args.0 --",
    "RBS_WARM: set 2: Args.1 --",
    "RBS_WARM: set 3 must be an",
  ]);
  expect(message).not.toContain("s3cret");
});

test("messages don't repeat an unreadable value, because it may contain a proxy's password", () => {
  const message = readMistakes({ RBS_WARM: '[{"Proxy": {"Password": "s3cret"}' });
  expect(message).toMatch(/^RBS_WARM must be .*, or the path of a file with such an array$/);
});

function readMistakes(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("The settings have no mistakes.");
}
