import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readRssBytes } from "./memory.ts";
import { countDescriptors, descendantsOf, isXvnc, readProgram, readPssBytes } from "./processes.ts";

/** A shell, what it has started, and what that has. */
async function startFamily(): Promise<{ readonly pids: readonly number[] } & AsyncDisposable> {
  const shell = spawn("/bin/sh", ["-c", "sh -c 'sleep 1000 & echo $$ $!; wait' & wait"], { detached: true });
  const [said] = (await once(shell.stdout, "data")) as [Buffer];
  const pid = shell.pid ?? 0;
  return {
    pids: [pid, ...String(said).trim().split(" ").map(Number)],
    async [Symbol.asyncDispose]() {
      const ended = once(shell, "close");
      process.kill(-pid, "SIGKILL");
      await ended;
    },
  };
}

test("all that a process has started are found, the ones those have started among them, and no others", async () => {
  const family = await startFamily();
  const [shell = 0, ...below] = family.pids;
  expect(descendantsOf(shell)).toEqual(below);
  expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([...family.pids]));
  await family[Symbol.asyncDispose]();
  expect(descendantsOf(process.pid)).not.toContain(shell);
});

test("what processes share is not counted twice", async () => {
  await using family = await startFamily();
  const [shell = 0] = family.pids;
  expect(readPssBytes(shell)).toBeGreaterThan(0);
  expect(readPssBytes(shell)).toBeLessThan(readRssBytes(shell));
});

test("a process that is gone runs nothing and has no memory", async () => {
  const family = await startFamily();
  const [shell = 0] = family.pids;
  await family[Symbol.asyncDispose]();
  expect([readProgram(shell), readPssBytes(shell)]).toEqual([undefined, 0]);
});

test("a process tells its program, and how many descriptors it has", () => {
  expect(readProgram(process.pid)).toBe("node");
  expect(countDescriptors(process.pid)).toBeGreaterThan(3);
});

test.each(["Xvnc", "Xtigervnc", "Xtightvnc"])("%s is a screen", (program) => expect(isXvnc(program)).toBe(true));
