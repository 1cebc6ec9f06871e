import { expect, test } from "vitest";
import { NONE, closingLine, listFailed, listSkipped, readClosingLine, readTally, withExit } from "./tally.ts";

function report(...files: readonly { status: string; tests: readonly string[] }[]): string {
  const testResults = files.map(({ status, tests }) => ({
    status,
    assertionResults: tests.map((each) => ({ status: each })),
  }));
  return JSON.stringify({ success: files.every(({ status }) => status === "passed"), testResults });
}

test("every test in every file counts once", () => {
  const json = report(
    { status: "passed", tests: ["passed", "passed", "pending"] },
    { status: "failed", tests: ["passed", "failed", "failed"] },
  );
  expect(readTally(json, 1)).toStrictEqual({ passed: 3, failed: 2, skipped: 1 });
});

test("a file that fails to load counts as one failed test", () => {
  const unloaded = { status: "failed", tests: [] };
  const json = report({ status: "passed", tests: ["passed"] }, unloaded, unloaded);
  expect(readTally(json, 1)).toStrictEqual({ passed: 1, failed: 2, skipped: 0 });
});

test("an error outside of tests counts as one failed test", () => {
  expect(readTally(report({ status: "passed", tests: ["passed"] }), 1).failed).toBe(1);
});

test.each([undefined, "", '{"success":true,"testRes'])(
  "a run without a complete report counts as failed: %s",
  (json) => {
    expect(readTally(json, null)).toStrictEqual({ passed: 0, failed: 1, skipped: 0 });
  },
);

test("the last line mentions skipped tests only if there are any", () => {
  expect(closingLine({ passed: 12, failed: 0, skipped: 0 })).toBe("12 passed, 0 failed");
  expect(closingLine({ passed: 12, failed: 1, skipped: 3 })).toBe("12 passed, 1 failed, 3 skipped");
});

test("the last printed line can be parsed", () => {
  const tally = { passed: 12, failed: 3, skipped: 1 };
  expect(readClosingLine(`Go: 1 passed, 1 failed\n\n${closingLine(tally)}\n`, 1)).toStrictEqual(tally);
  expect(readClosingLine("4 passed, 0 failed\n", 0)).toStrictEqual({ passed: 4, failed: 0, skipped: 0 });
});

test("a nonzero exit code counts as one failed test, unless a test failed", () => {
  expect(withExit(NONE, 0)).toStrictEqual(NONE);
  expect([withExit(NONE, 2).failed, withExit(NONE, null).failed]).toStrictEqual([1, 1]);
  expect(withExit({ ...NONE, failed: 3 }, 1).failed).toBe(3);
});

test("a command with a nonzero exit code counts as failed, regardless of its output", () => {
  expect(readClosingLine("4 passed, 0 failed\n", 1).failed).toBe(1);
  expect(readClosingLine("", null)).toStrictEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("failed tests are listed with the first line of their error, and so are files that failed outside of tests", () => {
  const failed = { status: "failed", fullName: "one", failureMessages: ["Error: it took too long\n    at once"] };
  const testResults = [
    { name: "a.test.ts", status: "failed", assertionResults: [failed, { status: "passed", fullName: "two" }] },
    { name: "b.test.ts", status: "failed", message: "Hook timed out", assertionResults: [{ status: "passed" }] },
    { name: "c.test.ts", status: "passed", assertionResults: [{ status: "passed" }] },
  ];
  expect(listFailed(JSON.stringify({ success: false, testResults }))).toStrictEqual([
    "a.test.ts: one: Error: it took too long",
    "b.test.ts: Hook timed out",
  ]);
  expect(listFailed(undefined)).toStrictEqual([]);
});

test("skipped tests are listed by name", () => {
  const tests = [
    { status: "passed", fullName: "one" },
    { status: "skipped", fullName: "two (no key here)" },
    { status: "todo", fullName: "three" },
  ];
  const json = JSON.stringify({ success: true, testResults: [{ status: "passed", assertionResults: tests }] });
  expect(listSkipped(json)).toStrictEqual(["two (no key here)", "three"]);
  expect(listSkipped(undefined)).toStrictEqual([]);
});
