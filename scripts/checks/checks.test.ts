import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Check, describeVerdict, runChecks } from "./checks.ts";

function check(name: string, code: string): Check {
  return { name, command: ["node", "-e", code] };
}

async function run(...checks: Check[]) {
  const reported: string[] = [];
  const verdicts = await runChecks(tmpdir(), ({ check: { name } }) => reported.push(name), checks);
  return { reported, verdicts };
}

test("a check passes only if its command exits with 0", async () => {
  const { verdicts } = await run(
    check("good", ""),
    check("bad", "process.exit(3)"),
    check("killed", "process.kill(process.pid, 'SIGKILL')"),
    { name: "absent", command: ["no-such-program"] },
  );
  const passed = verdicts.filter(({ outcome }) => outcome === "passed").map(({ check: { name } }) => name);
  expect(passed).toStrictEqual(["good"]);
  expect(verdicts).toHaveLength(4);
});

test("up to two checks run at the same time, and each is reported when it ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "checks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = JSON.stringify(join(folder, "third"));
  const long = check("long", `const timer = setInterval(() => fs.existsSync(${file}) && clearInterval(timer), 5)`);
  const third = check("third", `fs.writeFileSync(${file}, "")`);
  const { reported } = await run(long, check("first", ""), check("second", ""), third);
  // The third check starts after the first two finish, and the long check finishes after that.
  expect(reported.slice(0, 2)).toStrictEqual(["first", "second"]);
  expect(reported).toHaveLength(4);
});

test("a failed check shows its stdout and stderr, and a passed one shows no output", async () => {
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

test("a check whose toolchain is missing is reported as skipped, and not run", async () => {
  const { verdicts } = await run({ ...check("Python", "process.exit(1)"), needs: "python" });
  const [line] = verdicts.map(describeVerdict);
  expect(line).toBe("skipped Python (no .venv/bin/python, which npm run setup creates)\n");
});

test("a check that depends on a failed check is skipped, so the error is shown once", async () => {
  const { verdicts } = await run(check("contract", "process.exit(1)"), {
    ...check("client", "console.log('broken'); process.exit(1)"),
    after: "contract",
  });
  expect(verdicts.map(({ outcome }) => outcome)).toStrictEqual(["failed", "skipped"]);
  expect(verdicts.map(describeVerdict)[1]).toBe("skipped client (contract failed)\n");
});
