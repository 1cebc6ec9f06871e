import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { firstMissing, readSteps, takeStep } from "./steps.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "steps-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function block(language: string, ...lines: string[]): string {
  return `Words.\n\n\`\`\`${language}\n${lines.join("\n")}\n\`\`\`\n`;
}

function take(page: string): void {
  for (const step of readSteps(page)) takeStep(step, folder);
}

test("a diff changes only its own lines", () => {
  writeFileSync(join(folder, "list.txt"), "a\nb\nc\nd\n");
  take(block("diff", "--- list.txt", " a", "+between", " b", "@@ further down", "-d", "+e"));
  expect(readFileSync(join(folder, "list.txt"), "utf8")).toBe("a\nbetween\nb\nc\ne\n");
});

test("missing and ambiguous lines are refused", () => {
  writeFileSync(join(folder, "list.txt"), "a\na\n");
  expect(() => take(block("diff", "--- list.txt", " a", "+b"))).toThrow("2 times, not once");
  expect(() => take(block("diff", "--- list.txt", " z", "+b"))).toThrow("0 times, not once");
});

test("a command must succeed or fail as the page says", () => {
  take(block("console", "$ true"));
  take(block("console", "$ false  # fails"));
  expect(() => take(block("console", "$ false"))).toThrow("exited with 1");
  expect(() => take(block("console", "$ true  # fails"))).toThrow("exited with 0");
});

test("a command must print the expected lines in order", () => {
  take(block("console", "$ printf 'one 1.2 s\\ntwo\\n'", "one … s", "two"));
  expect(() => take(block("console", "$ printf 'one\\ntwo\\n'", "two", "one"))).toThrow("one");
  expect(firstMissing("a.b", ["a+b"])).toBe("a+b");
});

test("blocks other than diff and console are not steps", () => {
  expect(readSteps(block("ts", "throw new Error();") + block("sh", "exit 1"))).toStrictEqual([]);
});

test("a block without its first line is refused", () => {
  expect(() => readSteps(block("diff", " a"))).toThrow("--- FILE");
  expect(() => readSteps(block("console", "npm test"))).toThrow("$ COMMAND");
});
