import { expect, test } from "vitest";
import { until } from "../../server/test/support/until.ts";
import { runCommand } from "./run-command.ts";

const NEVER = new AbortController().signal;

function shell(script: string, onLine: (line: string) => void = () => {}, signal = NEVER): Promise<number | null> {
  return runCommand({ program: "sh", args: ["-c", script], cwd: "/", onLine }, { PATH: process.env["PATH"] }, signal);
}

test("a command returns its output lines and its exit code", async () => {
  const lines: string[] = [];
  expect(await shell("echo one; echo two; exit 3", (line) => lines.push(line))).toBe(3);
  expect(lines).toStrictEqual(["one", "two"]);
});

test("a missing program causes an error that contains its name", async () => {
  const line = { program: "no-such-program", args: [], cwd: "/" };
  await expect(runCommand(line, {}, NEVER)).rejects.toThrow(/no-such-program/);
});

test("aborting kills the command and its children", async () => {
  const ended = new AbortController();
  let child = 0;
  const running = shell("sleep 600 & echo $!; wait", (line) => (child = Number(line)), ended.signal);
  await until(
    () => child,
    (pid) => pid > 0,
  );
  ended.abort();
  expect(await running).toBeNull();
  // Orphaned processes may be reaped with a delay.
  await until(
    () => isRunning(child),
    (is) => !is,
  );
});

test("a command doesn't start if its signal is already aborted", async () => {
  await expect(shell("exit 0", undefined, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
