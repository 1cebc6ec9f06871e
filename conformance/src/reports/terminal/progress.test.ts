import { expect, test } from "vitest";
import type { RuleResult } from "../../run/verdict.ts";
import { aFinding } from "../test/a-report.ts";
import { progressReporter } from "./progress.ts";

const passed: RuleResult = { rule: "RBS-OPEN-01", verdict: "pass", reason: null, findings: [], durationMs: 1234 };
const failed: RuleResult = {
  ...passed,
  rule: "RBS-OPEN-02",
  verdict: "fail",
  findings: [aFinding({ seen: "\u001B[2J" })],
};

const sentences = new Map([
  ["RBS-OPEN-01", "An open browser\n is listed."],
  ["RBS-OPEN-02", "A label is kept."],
] as const);

function aStream(isTTY: boolean) {
  const written: string[] = [];
  return { stream: { isTTY, columns: 60, write: (text: string) => written.push(text) }, written };
}

test("without a terminal, every rule is written on its own line", () => {
  const { stream, written } = aStream(false);
  using progress = progressReporter(stream, { sentences, isColoured: false });
  progress.onResult(passed);
  progress.onResult(failed);
  expect(written).toEqual([
    "[1/2] pass         RBS-OPEN-01       1.2 s  An open browser is listed.\n",
    "[2/2] fail         RBS-OPEN-02       1.2 s  expected 400 BadRequest, but saw \\u{1b}[2J\n",
  ]);
});

test("a terminal shows one updated line below the failures and removes it at the end", () => {
  const { stream, written } = aStream(true);
  const progress = progressReporter(stream, { sentences, isColoured: false });
  progress.onResult(passed);
  progress.onResult(failed);
  progress[Symbol.dispose]();
  expect(written.filter((text) => text.endsWith("\n"))).toHaveLength(1);
  // oxlint-disable-next-line no-control-regex -- the test is about control characters
  expect(written.at(-2)).toMatch(/^\r\u001B\[2K█{20} 2\/2 .* 1 fail  RBS-OPEN-02 A.*…$/);
  expect(written.at(-1)).toBe("\r\u001B[2K");
});

test("the updated line fits in the terminal", () => {
  const { stream, written } = aStream(true);
  using progress = progressReporter({ ...stream, columns: 20 }, { sentences, isColoured: false });
  progress.onResult(passed);
  expect(written.at(-1)?.replace("\r\u001B[2K", "")).toHaveLength(19);
});
