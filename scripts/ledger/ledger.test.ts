import { expect, test } from "vitest";
import { countDependencies, countLines, listSettings } from "../checks/ledger.ts";
import { compare, compareTimes } from "./ledger.ts";
import { sumUp } from "./processor-time.ts";
import { cut } from "./shards.ts";

test("a number that rises, falls sharply, appears or disappears must be updated in the ledger", () => {
  const entries = { same: 500, below: 500, above: 500, gone: 500, farBelow: 500 };
  const counted = { same: 500, below: 400, above: 501, added: 1, farBelow: 399 };
  expect(compare("lines", entries, counted, 100)).toEqual([
    expect.stringMatching(/^lines\.above is 501, but the ledger has 500\. .*say why/),
    expect.stringMatching(/^lines\.added is missing in .*\. Add it/),
    expect.stringMatching(/^lines\.farBelow is 399, but the ledger has 500\. Lower the entry/),
    expect.stringMatching(/^lines\.gone no longer exists\. Remove it/),
  ]);
});

test("lines are counted by folder, with separate counts for tests, docs and generated files, and released files are excluded", () => {
  const files = [
    ...[
      "server/src/a.ts",
      "server/src/a.test.ts",
      "server/test/support/b.ts",
      "clients/go/client_test.go",
      "README.md",
    ],
    ...["docs/a.md", "server/src/generated/c.ts", "clients/python/_generated/d.py", "openapi/released/1.0.yaml"],
    ...["package-lock.json", "clients/java/E.java", "vitest.config.ts"],
  ];
  expect(countLines(files, () => "one\ntwo\n")).toEqual({ server: 2, tests: 6, docs: 4, generated: 4, clients: 2 });
});

test("a package needed by several of our packages counts once, and settings are read from the configuration", () => {
  const sources: Record<string, string> = {
    "server/package.json": '{"dependencies":{"hono":"4","@remote-browser/contract":"1"}}',
    "conformance/package.json": '{"dependencies":{"hono":"4","ws":"8"},"devDependencies":{"pg":"8"}}',
    "bench/package.json": '{"dependencies":{"puppeteer":"25"}}',
    "server/src/config/a.ts": 'read("RBS_PORT"); read("RBS_WARM_MAX"); // RBS_PORT',
    "server/src/config/a.test.ts": '"RBS_UNKNOWN"',
  };
  const read = (file: string): string => sources[file] ?? "";
  expect(countDependencies(Object.keys(sources), read)).toBe(2);
  expect(listSettings(Object.keys(sources), read)).toEqual(["RBS_PORT", "RBS_WARM_MAX"]);
});

test("each test is in exactly one part, and all parts take about the same time", () => {
  const seconds = [1500, 900, 600, 300, 300, 200, 100, 60, 60, 20];
  const parts = cut(seconds, (each) => each, 3);
  expect(parts.flat().toSorted((a, b) => b - a)).toEqual(seconds);
  expect(parts.map((part) => part.reduce((sum, each) => sum + each))).toEqual([1500, 1280, 1260]);
  expect(cut([5], (each) => each, 2)).toEqual([[5], []]);
});

test("processor time is added up by folder and compared with ledger times scaled to this machine", () => {
  const report = ["server/src/a", "server/src/b", "server/test/c", "scripts/d"]
    .map((file) => JSON.stringify({ file: `/root/${file}.test.ts`, seconds: 10 }))
    .join("\n");
  const used = { yardstick: 2, ...sumUp(report, "/root/") };
  expect(used).toEqual({ yardstick: 2, server: 20, e2e: 10, scripts: 10 });
  const within = compareTimes({ yardstick: 1, server: 10, e2e: 5, scripts: 1 }, used);
  expect(within).toMatchObject({ isWithin: true, table: expect.stringMatching(/all +40 s, ledger +32 s$/) });
  const above = compareTimes({ yardstick: 1, server: 10 }, used);
  expect(above).toMatchObject({ isWithin: false, table: expect.stringContaining("say why") });
});
