import { expect, test } from "vitest";
import { readGoEvents } from "./go-events.ts";

const P = "example.com/p";

function read(...events: readonly (object | string)[]) {
  const said: string[] = [];
  const reader = readGoEvents((text) => said.push(text));
  for (const event of events) reader.take(typeof event === "string" ? event : JSON.stringify(event));
  return { tally: reader.tally(), said };
}

const ends = (Test: string, Action: string): object => ({ Action, Package: P, Test });

test("only the innermost subtests count", () => {
  const events = [ends("TestA/one", "pass"), ends("TestA/two", "skip"), ends("TestA", "pass")];
  expect(read(...events).tally).toStrictEqual({ passed: 1, failed: 0, skipped: 1 });
});

test("a failed test counts even if all its subtests passed", () => {
  const alone = [ends("TestA/one", "pass"), ends("TestA", "fail")];
  expect(read(...alone).tally).toStrictEqual({ passed: 1, failed: 1, skipped: 0 });
  const byPart = [ends("TestA/one", "fail"), ends("TestA", "fail")];
  expect(read(...byPart).tally).toStrictEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a test whose name is a prefix of another test's name isn't its parent", () => {
  expect(read(ends("TestA", "pass"), ends("TestAB", "pass")).tally.passed).toBe(2);
});

test("a package's result doesn't count as a test", () => {
  expect(read({ Action: "pass", Package: P }).tally).toStrictEqual({ passed: 0, failed: 0, skipped: 0 });
});

test("the output contains failed tests, package results and compiler errors", () => {
  const output = (Output: string, Test?: string): object => ({ Action: "output", Package: P, Test, Output });
  const { said } = read(
    output("fine.\n", "TestA"),
    ends("TestA", "pass"),
    output("a_test.go:1: 1 is ", "TestB"),
    output("not 2\n", "TestB"),
    ends("TestB", "fail"),
    output(`FAIL\t${P}\t0.1s\n`),
    { Action: "build-output", ImportPath: P, Output: "./a.go:1:1: undefined: b\n" },
    "# output of an older Go",
  );
  expect(said).toStrictEqual([
    "a_test.go:1: 1 is not 2",
    `FAIL\t${P}\t0.1s`,
    "./a.go:1:1: undefined: b",
    "# output of an older Go",
  ]);
});
