import { expect, test } from "vitest";
import type { Check } from "./checks.ts";
import { describeVerdict, runChecks } from "./run-checks.ts";

function check(name: string, code: string): Check {
  return { name, command: ["node", "-e", code] };
}

async function run(...checks: Check[]) {
  const told: string[] = [];
  const verdicts = await runChecks(".", ({ check: { name } }) => told.push(name), checks);
  return { told, verdicts };
}

test("a check passes exactly when its command ends with 0", async () => {
  const { verdicts } = await run(
    check("good", ""),
    check("bad", "process.exit(3)"),
    check("killed", "process.kill(process.pid, 'SIGKILL')"),
    { name: "absent", command: ["no-such-program"] },
  );
  const passed = verdicts.filter(({ isPassed }) => isPassed).map(({ check: { name } }) => name);
  expect(passed).toStrictEqual(["good"]);
  expect(verdicts).toHaveLength(4);
});

test("at most two checks run at once, and each is told of as it ends", async () => {
  const long = check("long", "setTimeout(() => {}, 600)");
  const { told } = await run(long, check("first", ""), check("second", ""), check("third", ""));
  expect(told).toStrictEqual(["first", "second", "third", "long"]);
});

test("a failed check shows both streams of what it said, a good one nothing", async () => {
  const { verdicts } = await run(
    check("bad", "console.log('out'); console.error('err'); process.exit(1)"),
    check("good", "console.log('out')"),
  );
  const lines = verdicts.map(describeVerdict).join("");
  expect(lines).toMatch(/^FAILED {2}bad \(.*\)$/m);
  expect(lines).toMatch(/^ {8}out$/m);
  expect(lines).toMatch(/^ {8}err$/m);
  expect(lines).toMatch(/^ok {6}good \(.*\)\n$/m);
});
