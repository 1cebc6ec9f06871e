import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { readRssBytes } from "./memory.ts";
import { countDescriptors, descendantsOf, isXvnc, readProgram, readPssBytes } from "./processes.ts";

/** Starts a shell with a child process and a grandchild process. */
async function startFamily(): Promise<{ readonly pids: readonly number[] } & AsyncDisposable> {
  const shell = spawn("/bin/sh", ["-c", "sh -c 'sleep 1000 & echo $$ $!; wait' & wait"], { detached: true });
  const [output] = (await once(shell.stdout, "data")) as [Buffer];
  const pid = shell.pid ?? 0;
  return {
    pids: [pid, ...String(output).trim().split(" ").map(Number)],
    async [Symbol.asyncDispose]() {
      const ended = once(shell, "close");
      process.kill(-pid, "SIGKILL");
      await ended;
    },
  };
}

test("descendants are children and grandchildren, and no other processes", async () => {
  const family = await startFamily();
  const [shell = 0, ...below] = family.pids;
  expect(descendantsOf(shell)).toEqual(below);
  expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([...family.pids]));
  await family[Symbol.asyncDispose]();
  expect(descendantsOf(process.pid)).not.toContain(shell);
});

test("memory shared by several processes is counted only once", async () => {
  await using family = await startFamily();
  const [shell = 0] = family.pids;
  expect(readPssBytes(shell)).toBeGreaterThan(0);
  expect(readPssBytes(shell)).toBeLessThan(readRssBytes(shell));
});

test("an exited process has no program and no memory", async () => {
  const family = await startFamily();
  const [shell = 0] = family.pids;
  await family[Symbol.asyncDispose]();
  expect([readProgram(shell), readPssBytes(shell)]).toEqual([undefined, 0]);
});

test("the program and the number of descriptors are read from a running process", () => {
  expect(readProgram(process.pid)).toBe("node");
  expect(countDescriptors(process.pid)).toBeGreaterThan(3);
});

test.each(["Xvnc", "Xtigervnc", "Xtightvnc"])("%s is an Xvnc", (program) => expect(isXvnc(program)).toBe(true));
