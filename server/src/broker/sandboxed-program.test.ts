import { readFileSync, readdirSync } from "node:fs";
import { pid } from "node:process";
import { expect, test } from "vitest";
import { openWorkFolder } from "../../test/support/browsers/real-host.ts";
import type { Bounds } from "./bounds.ts";
import { startSandboxed } from "./sandboxed-program.ts";

const SHELL = { command: ["/bin/sh"], reads: [], isBrowser: false, isFirst: false };

/** Bounds with nonexistent control groups, which no process can join. */
const BROKEN: Bounds = {
  entrances: ["/no/such/group/tasks"],
  countsSharedMemory: true,
  add: () => Promise.resolve(),
  limit: () => Promise.resolve(),
  weigh() {},
  isOverMemory: () => false,
  countTasks: () => 0,
  async [Symbol.asyncDispose]() {},
};

function listHeld(): { readonly sockets: number; readonly children: string } {
  const sockets = readdirSync("/proc/self/fd", { withFileTypes: true }).length;
  return { sockets, children: readFileSync(`/proc/self/task/${pid}/children`, "latin1") };
}

test("a failed start reports the reason, and leaves no process or descriptor behind", async () => {
  using folder = openWorkFolder();
  const start = (): Promise<unknown> => startSandboxed({ path: folder.path, owner: undefined }, SHELL, BROKEN);
  await expect(start()).rejects.toThrow(/exited with \d+ after \d+ ms\. It wrote: .*\/no\/such\/group\/tasks/);
  const held = listHeld();
  await expect(start()).rejects.toThrow("did not start");
  await expect.poll(listHeld).toEqual(held);
});
